#include "holdfast/algorithms/checkpoints/continuous.hpp"
#include "holdfast/algorithms/checkpoints/grid.hpp"
#include "holdfast/algorithms/checkpoints/objective.hpp"
#include "holdfast/algorithms/checkpoints/outlook.hpp"
#include "holdfast/algorithms/checkpoints/published.hpp"
#include "holdfast/algorithms/checkpoints/sketch.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoints;

// Efficiency of any plan, by the same continuous objective.
double share(Outlook& outlook, std::span<const double> cuts, double checkpoint) {
  const double end = cuts.back() + checkpoint * static_cast<double>(cuts.size());
  return evaluate(outlook.curve(end), cuts, checkpoint, checkpoint).share;
}

double step(int low, int high) {
  return *rc::gen::inRange(low, high) * 0.25;
}

// Young and Daly's period for processors of these ages.
double usual_period(double checkpoint, const TabulatedLaw& law, std::span<const AgeGroup> groups) {
  double processors = 0;
  for (const AgeGroup& group : groups) processors += static_cast<double>(group.count);
  return young_daly_period(checkpoint, law.mean() / processors);
}

// Any law, and ages from 0 to 3 means, on a scale where a job of some 100 s meets a few failures.
struct Platform {
  TabulatedLaw law;
  std::vector<AgeGroup> groups;
  double period_of(double checkpoint) const { return usual_period(checkpoint, law, groups); }
  AgesOutlook outlook() const { return AgesOutlook(law, make_ages(groups)); }
};

double part(int low, int high) {
  return *rc::gen::inRange(low, high) * 0.01;
}

Law falling_law() {
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return exponential_law(1000);
    case 1:
      return weibull_law_of_mean(0.5, 1000);
    case 2:
      return gamma_law_of_mean(0.7, 1000);
    default:
      return lognormal_law_of_mean(1000, 1.5);  // rises first
  }
}

Law rising_law() {
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return weibull_law_of_mean(part(120, 501), 1000);
    case 1:
      return lognormal_law_of_mean(1000, part(20, 81));
    default:
      return gamma_law_of_mean(part(200, 2001), 1000);
  }
}

Platform some_platform(Law (*some_law)()) {
  Platform out{.law = TabulatedLaw(some_law()), .groups = {}};
  const int count = *rc::gen::inRange(1, 5);
  for (int i = 0; i < count; ++i) {
    const double age = *rc::gen::inRange(0, 4) == 0 ? 0 : step(0, 12001);
    out.groups.push_back({age, *rc::gen::inRange(1, 8)});
  }
  return out;
}

AgesOutlook some_outlook() {
  static std::vector<std::unique_ptr<const TabulatedLaw>> kept;  // an outlook holds a reference
  Platform platform = some_platform(falling_law);
  kept.push_back(std::make_unique<const TabulatedLaw>(std::move(platform.law)));
  return AgesOutlook(*kept.back(), make_ages(std::move(platform.groups)));
}

std::vector<double> equal_cuts(double work, std::size_t count) {
  std::vector<double> cuts(count);
  for (std::size_t k = 0; k < count; ++k)
    cuts[k] = work * static_cast<double>(k + 1) / static_cast<double>(count);
  return cuts;
}

// What local-young-daly would do if nothing failed.
std::vector<double> local_cuts(Outlook& outlook, double work, double checkpoint) {
  Sketch sketch;
  const HazardCurve& curve = outlook.curve(2 * work + 60 * checkpoint);
  const Task task{
      .checkpoint = checkpoint, .work = work, .reference = curve.cumulative(checkpoint)};
  sketch_local(curve, task, sketch);
  return sketch.cuts;
}

// No random, equal, local or grid plan is more efficient.
void check_best(const Platform& platform) {
  AgesOutlook outlook = platform.outlook();
  const double checkpoint = step(1, 60);
  const double work = step(20, 2000) * *rc::gen::element(1, 1, 1, 20);
  const double period = platform.period_of(checkpoint);
  ContinuousPlanner planner(checkpoint, {}, Goal::share, period);
  const auto plan = planner.plan(outlook, work);
  RC_ASSERT(plan.back() <= work);
  const double best = share(outlook, plan, checkpoint) * (1 + 1e-9);

  GridPlanner grid(checkpoint, {}, Goal::share);
  RC_ASSERT(share(outlook, grid.plan(outlook, work, work / 64), checkpoint) <= best);
  const auto usual = static_cast<std::size_t>(std::ceil(work / period));
  RC_ASSERT(share(outlook, equal_cuts(work, usual), checkpoint) <= best);
  RC_ASSERT(share(outlook, local_cuts(outlook, work, checkpoint), checkpoint) <= best);

  const auto count = *rc::gen::inRange<std::size_t>(1, 2 * plan.size() + 4);
  std::vector<double> other = equal_cuts(work, count);
  RC_ASSERT(share(outlook, other, checkpoint) <= best);
  for (double& cut : other) cut *= *rc::gen::inRange(1, 1000) * 1e-3;
  other.back() = work;
  std::sort(other.begin(), other.end());
  other.erase(std::unique(other.begin(), other.end()), other.end());
  RC_ASSERT(share(outlook, other, checkpoint) <= best);
}

}  // namespace

TEST_CASE(
    "next-step, continuous: share saved, number and places of the checkpoints of three jobs") {
  struct Row {
    TabulatedLaw law;
    std::vector<AgeGroup> groups;
    double work, checkpoint, share;
    std::vector<double> cuts;
  };
  const Row rows[] = {
      {TabulatedLaw(exponential_law(1000)),
       {{0, 10}},
       300,
       2,
       0.813104773,
       {18.698, 37.398, 56.100, 74.805, 93.514, 112.227, 130.946, 149.671, 168.404, 187.148,
        205.904, 224.676, 243.466, 262.280, 281.122, 300.000}},
      {TabulatedLaw(weibull_law_of_mean(0.5, 315360000)),
       {{864000, 10000}},
       36000,
       600,
       0.443451242,
       {1300.756,  2602.415,  3904.976,  5208.438,  6512.799,  7818.060,  9124.219,
        10431.275, 11739.226, 13048.073, 14357.814, 15668.449, 16979.978, 18292.402,
        19605.726, 20919.961, 22235.137, 23551.314, 24868.635, 26187.416, 27508.371,
        28833.090, 30165.151, 31512.618, 32893.944, 34352.711, 36000.000}},
      {TabulatedLaw(weibull_law_of_mean(1.5, 315360000)),
       {{8.64e6, 50000}, {86400, 100}},
       36000,
       60,
       0.937642076,
       {1822.584,  3643.575,  5462.874,  7280.378,  9095.976,  10909.551, 12720.977,
        14530.121, 16336.842, 18140.988, 19942.399, 21740.905, 23536.324, 25328.463,
        27117.117, 28902.069, 30683.086, 32459.924, 34232.321, 36000.000}},
  };
  for (const Row& row : rows) {
    AgesOutlook outlook(row.law, make_ages(row.groups));
    ContinuousPlanner planner(row.checkpoint, {}, Goal::share,
                              usual_period(row.checkpoint, row.law, row.groups));
    const auto cuts = planner.plan(outlook, row.work);
    REQUIRE(cuts.size() == row.cuts.size());
    for (std::size_t k = 0; k < cuts.size(); ++k) {
      const double segment = row.cuts[k] - (k == 0 ? 0 : row.cuts[k - 1]);
      CAPTURE(k);
      CHECK(std::fabs(cuts[k] - row.cuts[k]) <= 1e-3 * segment);
    }
    CHECK(std::fabs(share(outlook, cuts, row.checkpoint) / row.share - 1) < 1e-7);
  }
}

TEST_CASE("next-step, continuous: no other plan is more efficient") {
  CHECK(rc::check([] { check_best(some_platform(falling_law)); }));
}

TEST_CASE("next-step, continuous: no other plan is more efficient where processors wear out") {
  CHECK(rc::check([] { check_best(some_platform(rising_law)); }));
}

TEST_CASE("next-step, continuous: no other plan of 5000 is more efficient where they wear out" *
          doctest::test_suite("slow")) {
  for (int i = 0; i < 50; ++i) {
    CHECK(rc::check([] { check_best(some_platform(rising_law)); }));
  }
}

TEST_CASE(
    "next-step, continuous: jobs of processors that wear out, which Newton's method alone misses") {
  struct Row {
    TabulatedLaw law;
    AgeGroup group;
    double work, checkpoint, share;  // the last: of the plan on a grid of 1000 quanta and more
  };
  const Row rows[] = {
      {TabulatedLaw(lognormal_law_of_mean(20000, 0.4)), {0, 8}, 20000, 20, 0.9570},
      {TabulatedLaw(weibull_law_of_mean(3.26, 234729615)), {2347296, 1}, 1890248723, 441116, 0.93},
      {TabulatedLaw(weibull_law_of_mean(3.49, 127e6)), {1.27e6, 1}, 1385.5e6, 8.5e6, 0.70},
      {TabulatedLaw(gamma_law_of_mean(2.0823, 1e6)), {0, 351}, 32453.6255, 98.59396533, 0.94616},
      {TabulatedLaw(lognormal_law_of_mean(1e6, 0.2347)), {0, 3}, 15420814.7, 41225.37964, 0.69},
  };
  for (const Row& row : rows) {
    AgesOutlook outlook(row.law, make_ages({row.group}));
    ContinuousPlanner planner(row.checkpoint, {}, Goal::share,
                              usual_period(row.checkpoint, row.law, {&row.group, 1}));
    const auto plan = planner.plan(outlook, row.work);
    CAPTURE(row.work);
    CHECK(share(outlook, plan, row.checkpoint) >= row.share);
  }
}

TEST_CASE("next-step, grid: the published recursion is its prefix maximum") {
  CHECK(rc::check([] {
    AgesOutlook outlook = some_outlook();
    const auto work = *rc::gen::inRange<std::size_t>(1, 25);
    const auto checkpoint = *rc::gen::inRange<std::size_t>(1, 4);
    GridPlanner grid(static_cast<double>(checkpoint), {}, Goal::share);
    const auto cuts = grid.plan(outlook, static_cast<double>(work), 1);
    RC_ASSERT(cuts.back() == static_cast<double>(work));

    std::vector<double> survival(work * (1 + checkpoint) + 1);
    std::iota(survival.begin(), survival.end(), 0.0);
    outlook.cumulative(survival, survival);
    for (double& s : survival) s = std::exp(-s);
    PublishedRecursion published(survival, work, checkpoint);
    double most = 0;
    for (const Candidate& candidate : grid.candidates()) {
      most = std::max(most, candidate.expected_work);
      const double slow = published.best(static_cast<std::size_t>(candidate.checkpoints));
      RC_ASSERT(std::fabs(most - slow) <= 1e-13 * slow);
    }
  }));
}

TEST_CASE("outlook: ages in groups are the product of their survivals") {
  const TabulatedLaw law(weibull_law_of_mean(0.7, 1000));
  AgesOutlook all(law, make_ages({{10, 3}, {200, 2}, {10, 1}}));
  AgesOutlook young(law, make_ages({{10, 4}}));
  AgesOutlook old(law, make_ages({{200, 2}}));
  const std::vector<double> x = {1, 10, 100};
  std::vector<double> whole(3), left(3), right(3);
  all.cumulative(x, whole);
  young.cumulative(x, left);
  old.cumulative(x, right);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(std::exp(-whole[i]) ==
          doctest::Approx(std::exp(-left[i]) * std::exp(-right[i])).epsilon(1e-13));
  }
}

TEST_CASE("objective: expected time of new processors, whose hazard begins infinite") {
  // Weibull 1/2 of scale s, p of them: S(x) = exp(-p sqrt(x/s)); from 0 to b the integral is
  // 2 s/p^2 (1 - (1 + y) exp(-y)) with y = p sqrt(b/s)
  const double scale = 1e6;
  for (const double processors : {1.0, 100.0, 10000.0}) {
    const TabulatedLaw law(weibull_law(0.5, scale));
    AgesOutlook outlook(law, make_ages({{0, static_cast<std::int64_t>(processors)}}));
    for (const double end : {1.0, 1e3, 1e6}) {
      const double y = processors * std::sqrt(end / scale);
      // 1 - (1 + y) exp(-y) for small y: y^2/2 - y^3/3 + y^4/8 ...
      const double part =
          y < 1e-2 ? y * y / 2 - y * y * y / 3 + y * y * y * y / 8 - y * y * y * y * y / 30
                   : -std::expm1(-y) - y * std::exp(-y);
      const double exact = 2 * scale / (processors * processors) * part;
      CAPTURE(processors);
      CAPTURE(end);
      CHECK(integrate_survival(outlook.curve(end), 0, end) == doctest::Approx(exact).epsilon(1e-8));
    }
  }
}
