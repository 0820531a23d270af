#include "holdfast/domains/checkpoint/levels/pattern.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

/// MTBF 9000 s, C1 = R1 = 30 s, C = R = 600 s, four failures in five leave the local checkpoints.
constexpr TwoLevels kExample{.global = {.checkpoint = 600, .recovery = 600, .downtime = 0},
                             .local = {.checkpoint = 30, .recovery = 30, .share = 0.8}};
constexpr double kRate = 1.0 / 9000;

double overhead(const Pattern& pattern, const TwoLevels& levels, double rate) {
  const double work = pattern.work * static_cast<double>(pattern.segments);
  return expected_time(pattern, levels, rate) / work - 1;
}

bool is_near(double found, double expected, double relative) {
  return std::fabs(found - expected) <= relative * std::fabs(expected);
}

// The same expectation by another way: the chain of what the job does, attempt after attempt, until all but 1e-14 of the
// probability has reached the end. States: work on segment j; down, then recovery, with j segments safe in local checkpoints.
double by_steps(const Pattern& pattern, const TwoLevels& levels, double rate) {
  const auto n = static_cast<std::size_t>(pattern.segments);
  const double q = levels.local.share;
  const double downtime = levels.global.downtime;
  std::vector<double> working(n + 1, 0);
  std::vector<double> down(n + 1, 0);  // with j of them safe; none where a global recovery is due
  double down_globally = 0;
  working[0] = 1;
  double time = 0;
  const auto attempt = [&](double length) { return (1 - std::exp(-rate * length)) / rate; };
  while (1 - working[n] > 1e-14) {
    std::vector<double> next_working(n + 1, 0);
    std::vector<double> next_down(n + 1, 0);
    double next_global = 0;
    next_working[n] = working[n];
    const auto strike = [&](double probability, std::size_t safe) {
      const double kept =
          safe > 0 ? q : 0;  // where nothing is in local checkpoints nothing is kept
      next_down[safe] += probability * kept;
      next_global += probability * (1 - kept);
    };
    const auto recover_globally = [&](double probability) {
      const double length = levels.global.recovery;
      time += probability * attempt(length);
      next_working[0] += probability * std::exp(-rate * length);
      next_global += probability * (1 - std::exp(-rate * length));
    };
    for (std::size_t j = 0; j < n; ++j) {
      const double length =
          pattern.work + (j + 1 == n ? levels.global.checkpoint : levels.local.checkpoint);
      time += working[j] * attempt(length);
      next_working[j + 1] += working[j] * std::exp(-rate * length);
      strike(working[j] * (1 - std::exp(-rate * length)), j);
      const double spared = std::exp(-rate * (1 - q) * downtime);
      time += down[j] * downtime;
      recover_globally(down[j] * (1 - spared));
      const double here = down[j] * spared;
      time += here * attempt(levels.local.recovery);
      next_working[j] += here * std::exp(-rate * levels.local.recovery);
      strike(here * (1 - std::exp(-rate * levels.local.recovery)), j);
    }
    time += down_globally * downtime;
    recover_globally(down_globally);
    working = std::move(next_working);
    down = std::move(next_down);
    down_globally = next_global;
  }
  return time;
}

}  // namespace

TEST_CASE("two levels: of one level they are the closed form of a segment") {
  for (const double share : {0.0, 0.3, 1.0}) {
    const TwoLevels levels{.global = {.checkpoint = 60, .recovery = 90, .downtime = 20},
                           .local = {.checkpoint = 7, .recovery = 9, .share = share}};
    const double found = expected_time({.work = 1500, .segments = 1}, levels, 1.0 / 2000);
    CHECK(is_near(found, expected_segment_time(1500, levels.global, 1.0 / 2000), 1e-12));
  }
  // Every failure leaves local checkpoints: each segment is one of its own.
  const TwoLevels all{.global = {.checkpoint = 60, .recovery = 50, .downtime = 20},
                      .local = {.checkpoint = 7, .recovery = 5, .share = 1}};
  const ResilienceCosts local{.checkpoint = 7, .recovery = 5, .downtime = 20};
  const ResilienceCosts first{.checkpoint = 7, .recovery = 50, .downtime = 20};
  const ResilienceCosts last{.checkpoint = 60, .recovery = 5, .downtime = 20};
  CHECK(is_near(expected_time({.work = 400, .segments = 4}, all, 1.0 / 2000),
                expected_segment_time(400, first, 1.0 / 2000) +
                    2 * expected_segment_time(400, local, 1.0 / 2000) +
                    expected_segment_time(400, last, 1.0 / 2000),
                1e-12));
}

TEST_CASE("two levels: the expectation is that of the chain of attempts, step by step") {
  for (const double share : {0.0, 0.2, 0.8, 1.0}) {
    for (const std::int64_t segments : {1, 2, 5, 9}) {
      TwoLevels levels = kExample;
      levels.global.downtime = 300;
      levels.local.share = share;
      const Pattern pattern{.work = 700, .segments = segments};
      CAPTURE(share);
      CAPTURE(segments);
      CHECK(
          is_near(expected_time(pattern, levels, kRate), by_steps(pattern, levels, kRate), 1e-10));
    }
  }
}

TEST_CASE("two levels: an overhead of 0.31 where the file system alone leaves 0.58") {
  const Pattern rule = first_order_pattern(kExample, kRate);
  CHECK(rule.segments == 9);
  // sqrt(2 600 9000 / 0.2) = 7348.5 s in nine
  CHECK(is_near(rule.work, std::sqrt(2 * 600 * 9000 / 0.2) / 9, 1e-12));
  CHECK(is_near(overhead(rule, kExample, kRate), 0.3087, 1e-3));
  const Pattern best = best_pattern(kExample, kRate);
  CHECK(is_near(overhead(best, kExample, kRate), 0.3068, 1e-3));
  TwoLevels alone = kExample;
  alone.local.share = 0;
  const Pattern global = best_pattern(alone, kRate);
  CHECK(global.segments == 1);
  CHECK(is_near(overhead(global, alone, kRate), 0.5769, 1e-3));
}

TEST_CASE("two levels: no pattern of a grid is better than the one that is found") {
  for (const double share : {0.0, 0.1, 0.5, 0.95, 1.0}) {
    for (const double local : {1.0, 30.0, 500.0, 700.0}) {
      TwoLevels levels = kExample;
      levels.local = {.checkpoint = local, .recovery = local, .share = share};
      const double found = overhead(best_pattern(levels, kRate), levels, kRate);
      double least = std::numeric_limits<double>::infinity();
      for (std::int64_t n = 1; n <= 60; ++n) {
        for (double work = 40; work < 20000; work *= 1.04) {
          least = std::min(least, overhead({.work = work, .segments = n}, levels, kRate));
        }
      }
      CAPTURE(share);
      CAPTURE(local);
      CHECK(found <= least * (1 + 1e-9));
      CHECK(overhead(first_order_pattern(levels, kRate), levels, kRate) < 1.1 * found + 0.05);
    }
  }
}

TEST_CASE("two levels: a job is cut into whole patterns, and no other cut is better") {
  const double work = 20'000;
  const JobPattern found = best_pattern_of_job(work, kExample, kRate);
  const auto time_of = [&](std::int64_t patterns, std::int64_t segments) {
    const Pattern pattern{.work = work / static_cast<double>(patterns * segments),
                          .segments = segments};
    return static_cast<double>(patterns) * expected_time(pattern, kExample, kRate);
  };
  const double least = time_of(found.patterns, found.pattern.segments);
  CHECK(is_near(found.pattern.work * static_cast<double>(found.patterns * found.pattern.segments),
                work, 1e-12));
  for (std::int64_t patterns = 1; patterns <= 12; ++patterns) {
    for (std::int64_t segments = 1; segments <= 40; ++segments) {
      CHECK(least <= time_of(patterns, segments) * (1 + 1e-12));
    }
  }
  // One that is short is one segment, where recoveries from either level take as long.
  TwoLevels alike = kExample;
  alike.global.recovery = 30;
  CHECK(best_pattern_of_job(60, alike, kRate).pattern == Pattern{.work = 60, .segments = 1});
}

TEST_CASE("two levels: segments up to a global checkpoint that is due after so many periods") {
  for (double ratio = 0.1; ratio < 40; ratio *= 1.13) {
    std::int64_t best = 1;
    const auto cost = [&](std::int64_t n) {
      return static_cast<double>(n - 1) + ratio * ratio / static_cast<double>(n);
    };
    for (std::int64_t n = 1; n < 100; ++n) {
      if (cost(n) < cost(best)) best = n;
    }
    CAPTURE(ratio);
    CHECK(segments_between(ratio) == best);
  }
  CHECK(segments_between(std::numeric_limits<double>::infinity()) == kMostSegments);
}
