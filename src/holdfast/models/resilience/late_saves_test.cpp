#include "holdfast/models/resilience/late_saves.hpp"

#include "holdfast/models/resilience/period.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace {

using namespace holdfast;

bool is_late_near(double found, double expected, double relative) {
  return std::fabs(found - expected) <= relative * std::fabs(expected);
}

constexpr ResilienceCosts kLateCosts{.checkpoint = 3, .recovery = 7, .downtime = 2};
constexpr double kLateRate = 1.0 / 200;

// The useful share of the time, life by life: in a life of x after the last recovery, the checkpoints that end L before x count,
// up to the last whole one.
double share_by_lives(double work, const LateSaves& late) {
  const double span = work + kLateCosts.checkpoint;
  double saved = 0;
  for (int n = 1; n < 5000; ++n) {  // n checkpoints of a life could be safe
    const double begin = n * span + late.flush;
    const double chance = std::exp(-kLateRate * begin) - std::exp(-kLateRate * (begin + span));
    double kept = 0;
    double unwhole = 1;
    for (int j = n; j > 0; --j, unwhole *= late.failure) kept += j * (1 - late.failure) * unwhole;
    saved += chance * work * kept;
  }
  return saved / (1 / kLateRate + expected_recovery_time(kLateCosts, kLateRate));
}

}  // namespace

TEST_CASE("late saves: without a flush and failed checkpoints they are those of any job") {
  const std::vector<double> segments = {30, 40, 50};
  for (const JobEnds ends :
       {JobEnds{}, JobEnds{.final_checkpoint = false}, JobEnds{.initial_recovery = false}}) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      ResilienceCosts costs = kLateCosts;
      if (k == 0 && !ends.initial_recovery) costs.recovery = 0;
      if (k == 2 && !ends.final_checkpoint) costs.checkpoint = 0;
      sum += expected_segment_time(segments[k], costs, kLateRate);
    }
    CHECK(late_job_time(segments, kLateCosts, kLateRate, ends, 0) == sum);
  }
  CHECK(late_slowdown(40, kLateCosts, kLateRate, {}) == slowdown(40, kLateCosts, kLateRate));
  CHECK(late_optimal_period(3, 200, {}) == optimal_period(3, 200));
  CHECK(planned_checkpoint(3, {}) == 3);
}

TEST_CASE("late saves: the long run agrees with the lives between two failures") {
  for (const LateSaves& late : {LateSaves{.flush = 25}, LateSaves{.failure = 0.3},
                                LateSaves{.flush = 25, .failure = 0.3}}) {
    for (const double work : {25.0, 40.0, 150.0}) {
      const double share = 1 / late_slowdown(work, kLateCosts, kLateRate, late);
      CHECK(is_late_near(share, share_by_lives(work, late), 1e-10));
    }
  }
}

TEST_CASE("late saves: a long job takes its work times the slowdown of the long run") {
  const LateSaves late{.flush = 25};
  const std::vector<double> segments(100'000, 40);
  const double time = late_job_time(segments, kLateCosts, kLateRate, {}, late.flush);
  CHECK(is_late_near(time, 40e5 * late_slowdown(40, kLateCosts, kLateRate, late), 1e-5));
  // Nothing fails: the work, all checkpoints, and one flush.
  CHECK(is_late_near(late_job_time({segments.data(), 10}, kLateCosts, 1e-12, {}, 25), 400 + 30 + 25,
                     1e-9));
}

TEST_CASE("late saves: the best period, and the first-order one") {
  for (const double failure : {0.0, 0.05, 0.5}) {
    for (const double flush : {0.0, 20.0, 90.0}) {
      const LateSaves late{.flush = flush, .failure = failure};
      const double best = late_optimal_period(3, 200, late);
      CHECK(best >= flush);
      const double least = late_slowdown(best, kLateCosts, kLateRate, late);
      for (const double factor : {0.9, 0.99, 1.01, 1.1}) {
        if (factor * best < flush) continue;
        CHECK(least <= late_slowdown(factor * best, kLateCosts, kLateRate, late));
      }
    }
    // Failures that are rare against everything: the first-order period is the best.
    const LateSaves late{.failure = failure};
    const double usual = young_daly_period(planned_checkpoint(3, late), 1e9);
    CHECK(is_late_near(late_optimal_period(3, 1e9, late), usual, 1e-3));
  }
}
