#include "holdfast/models/resilience/job.hpp"

#include "holdfast/models/resilience/period.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace holdfast;

constexpr JobEnds kNeither{.final_checkpoint = false, .initial_recovery = false};

bool near(double found, double expected, double relative) {
  return std::fabs(found - expected) <= relative * std::fabs(expected);
}

// What section 5.3.4 describes: try 1, 2, ... while every segment has work, until E_N rises twice.
JobPlan scanned(double work, const ResilienceCosts& costs, double rate, JobEnds ends) {
  JobPlan best = job_in_segments(work, costs, rate, 1, ends);
  double previous = best.expected_time;
  int rises = 0;
  for (std::int64_t n = 2; rises < 2 && is_possible(work, costs, n, ends); ++n) {
    const JobPlan plan = job_in_segments(work, costs, rate, n, ends);
    rises = plan.expected_time > previous ? rises + 1 : 0;
    previous = plan.expected_time;
    if (plan.expected_time < best.expected_time) best = plan;
  }
  return best;
}

}  // namespace

TEST_CASE("job: periods, numbers of segments and expected times of four jobs") {
  struct Row {
    double mtbf, work, checkpoint, recovery, downtime;
    double young_daly, daly, optimal;
    std::int64_t young_daly_count;
    double young_daly_time;
    std::int64_t optimal_count;
    double optimal_time;
    std::int64_t free_count;
    double free_span, free_time;
  };
  const Row rows[] = {
      {4, 10, 0.1, 0.1, 1.0 / 60, 0.894427191, 0.829002784, 0.829040307, 12, 12.9877414, 12,
       12.9877414, 12, 1.01666667, 12.8299318},
      {3153.6, 172800, 60, 60, 6, 615.16827, 575.818498, 575.835605, 281, 215957.063, 300,
       215871.574, 300, 695.6, 215782.355},
      {31536, 36000, 600, 600, 60, 6151.6827, 5758.18498, 5758.35605, 6, 44980.2014, 6, 44980.2014,
       6, 7000, 44081.2389},
      {100, 50, 10, 0, 0, 44.7213595, 38.3031449, 38.3183168, 2, 83.8135097, 1, 82.21188, 1, 50,
       64.8721271},
  };
  for (const Row& row : rows) {
    CAPTURE(row.mtbf);
    const ResilienceCosts costs{row.checkpoint, row.recovery, row.downtime};
    const double rate = 1 / row.mtbf;
    CHECK(near(young_daly_period(row.checkpoint, row.mtbf), row.young_daly, 1e-8));
    CHECK(near(daly_period(row.checkpoint, row.mtbf), row.daly, 1e-8));
    CHECK(near(optimal_period(row.checkpoint, row.mtbf), row.optimal, 1e-8));

    const auto count = segments_for_period(row.work, row.young_daly);
    CHECK(count == row.young_daly_count);
    CHECK(near(job_in_segments(row.work, costs, rate, count).expected_time, row.young_daly_time,
               1e-8));

    const JobPlan best = optimal_job(row.work, costs, rate);
    CHECK(best.segments == row.optimal_count);
    CHECK(near(best.expected_time, row.optimal_time, 1e-8));

    const JobPlan free = optimal_job(row.work, costs, rate, kNeither);
    CHECK(free.segments == row.free_count);
    CHECK(near(free.span, row.free_span, 1e-8));
    CHECK(near(free.expected_time, row.free_time, 1e-8));
  }
}

TEST_CASE("job: the counter-example to NextStep: one segment beats two") {
  const ResilienceCosts costs{.checkpoint = 500, .recovery = 0, .downtime = 0};
  CHECK(near(job_in_segments(960, costs, 1e-3, 1).expected_time, 3305.959528, 1e-9));
  CHECK(near(job_in_segments(960, costs, 1e-3, 2).expected_time, 3328.912484, 1e-9));
  CHECK(optimal_job(960, costs, 1e-3).segments == 1);
  // the work from which two segments are better
  CHECK(optimal_job(973.8, costs, 1e-3).segments == 1);
  CHECK(optimal_job(973.82, costs, 1e-3).segments == 2);
  const ResilienceCosts cheap{.checkpoint = 100, .recovery = 0, .downtime = 0};
  CHECK(optimal_job(537.73, cheap, 1e-3).segments == 1);
  CHECK(optimal_job(537.75, cheap, 1e-3).segments == 2);
}

TEST_CASE("job: the closed form of N is what the scan finds, whatever the ends of the job cost") {
  CHECK(rc::check([] {
    const auto draw = [](int low, int high) { return *rc::gen::inRange(low, high) * 0.125; };
    const double work = draw(1, 4000);
    const ResilienceCosts costs{draw(1, 200), draw(0, 200), draw(0, 50)};
    const double rate = 1 / draw(1, 4000);
    const JobEnds ends{*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
    const JobPlan found = optimal_job(work, costs, rate, ends);
    const JobPlan slow = scanned(work, costs, rate, ends);
    RC_ASSERT(is_possible(work, costs, found.segments, ends));
    // Both may be infinite; equal plans of neighbouring N differ by rounding only.
    RC_ASSERT(found.expected_time == slow.expected_time ||
              near(found.expected_time, slow.expected_time, 1e-13));
  }));
}

TEST_CASE("job: an expected time that overflows is infinite, and never NaN") {
  // rate work = 710: e^710 overflows, and one segment has no recovery between two of its own
  const ResilienceCosts dear{.checkpoint = 1, .recovery = 100, .downtime = 0};
  for (const JobEnds ends : {JobEnds{}, JobEnds{.final_checkpoint = false},
                             JobEnds{.initial_recovery = false}, kNeither}) {
    const JobPlan one = job_in_segments(710.0 / 8, dear, 8, 1, ends);
    CHECK(one.expected_time == std::numeric_limits<double>::infinity());
  }
  // no recovery and no checkpoint to pay: (1/rate) (e^0.01 - 1), although e^(rate R) overflows
  CHECK(near(job_in_segments(0.01, {1, 1000, 0}, 1, 1, kNeither).expected_time, std::expm1(0.01),
             1e-15));
}

TEST_CASE("job: an end that costs nothing changes nothing") {
  const ResilienceCosts free_recovery{.checkpoint = 60, .recovery = 0, .downtime = 6};
  const JobPlan with = optimal_job(36000, free_recovery, 1e-4);
  const JobPlan without = optimal_job(36000, free_recovery, 1e-4, {.initial_recovery = false});
  CHECK(with.segments == without.segments);
  CHECK(near(with.expected_time, without.expected_time, 1e-14));
}

TEST_CASE("segment: Lemma 26 stays exact where exp(x) - 1 would not") {
  // rate (W + C) = 1e-12: E = W + C to first order, plus (W + C)^2 rate / 2
  CHECK(near(expected_segment_time(0.5, {0.5, 0, 0}, 1e-12), 1 + 0.5e-12, 1e-15));
  CHECK(std::isinf(expected_segment_time(1e6, {1, 0, 0}, 1)));
  // downtime and recovery: (1/rate + D) e^(rate R) (e^(rate (W + C)) - 1)
  CHECK(near(expected_segment_time(1, {1, 1, 1}, 1), 2 * std::exp(1.0) * std::expm1(2.0), 1e-15));

  const std::vector<double> work{1, 2, 3};
  std::vector<double> out(3);
  expected_segment_times(work, {1, 1, 1}, 1, out);
  for (std::size_t i = 0; i < 3; ++i) CHECK(out[i] == expected_segment_time(work[i], {1, 1, 1}, 1));
}

TEST_CASE("segment: expected recovery is the fixed point of its own definition") {
  // Ready after D + R when nothing strikes R (probability e^-rR), else after D + time to strike +
  // all again.
  const ResilienceCosts costs{.checkpoint = 0, .recovery = 300, .downtime = 50};
  const double rate = 1.0 / 700;
  const double whole = expected_recovery_time(costs, rate);
  const double safe = std::exp(-rate * 300);
  const double time_in_recovery = (1 - safe) / rate;  // E min(X, R)
  CHECK(near(whole, 50 + time_in_recovery + (1 - safe) * whole, 1e-14));
}

TEST_CASE("period: the optimal one is the minimum of the slowdown, and the others approach it") {
  for (const double mtbf : {700.0, 3600.0, 1e5, 1e9}) {
    CAPTURE(mtbf);
    const ResilienceCosts costs{.checkpoint = 600, .recovery = 600, .downtime = 60};
    const double best = optimal_period(costs.checkpoint, mtbf);
    const double least = slowdown(best, costs, 1 / mtbf);
    CHECK(least <= slowdown(best * 1.001, costs, 1 / mtbf));
    CHECK(least <= slowdown(best * 0.999, costs, 1 / mtbf));
    CHECK(least <= slowdown(daly_period(costs.checkpoint, mtbf), costs, 1 / mtbf));
    CHECK(daly_period(costs.checkpoint, mtbf) <= young_daly_period(costs.checkpoint, mtbf));
  }
  // Far fewer failures than checkpoints: all agree. Checkpoints of more than two MTBF: Daly falls
  // back to the MTBF.
  CHECK(near(optimal_period(1, 1e12), young_daly_period(1, 1e12), 1e-5));
  CHECK(daly_period(200, 100) == 100);
  CHECK(daly_period(201, 100) == 100);
  CHECK(segments_for_period(1000, young_daly_period(100, 50)) == 10);  // exactly 100 s each
  CHECK(segments_for_period(1, 1e9) == 1);
  CHECK(segments_for_period(1e300, 1e-300) == (std::int64_t{1} << 53));
}
