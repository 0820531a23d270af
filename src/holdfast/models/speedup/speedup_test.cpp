#include "holdfast/models/speedup/speedup.hpp"

#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

namespace holdfast {
namespace {

// A random job of a closed form; small overheads and caps on purpose, so that ties and bounds
// occur.
Speedup random_closed_form(Stream& random) {
  const double work =
      random.chance(0.1) ? static_cast<double>(random.integer(0, 60)) : random.uniform(1, 1e5);
  const std::int64_t cap = random.integer(1, 300);
  const double fraction = random.chance(0.1) ? 0.0 : random.uniform() * random.uniform();
  const double overhead = random.chance(0.3) ? static_cast<double>(random.integer(0, 2))
                                             : 10 * random.uniform() * random.uniform();
  switch (random.integer(0, 4)) {
    case 0:
      return Speedup::roofline(work, cap);
    case 1:
      return Speedup::communication(work, overhead);
    case 2:
      return Speedup::amdahl(work, fraction);
    case 3:
      return Speedup::mix(work, cap, fraction, overhead);
    default:
      return Speedup::power(work, random.chance(0.1) ? 1.0 : random.uniform());
  }
}

// The definition: the first p whose time no later one beats by more than the tie.
std::int64_t fastest_by_scan(const Speedup& s, std::int64_t processors) {
  std::int64_t best = 1;
  for (std::int64_t p = 2; p <= processors; ++p) {
    if (s.time(p) < s.time(best) * (1 - 1e-12)) best = p;
  }
  return best;
}

}  // namespace

TEST_CASE("speedup: durations by hand") {
  struct Row {
    const char* why;
    Speedup speedup;
    std::int64_t processors;
    double time;
  };
  const Row rows[] = {
      {"roofline below its bound: 100 / 4", Speedup::roofline(100, 5), 4, 25},
      {"roofline beyond it: 100 / 5", Speedup::roofline(100, 5), 9, 20},
      {"communication: 100 / 10 + 9", Speedup::communication(100, 1), 10, 19},
      {"amdahl: 95 / 16 + 5", Speedup::amdahl(100, 0.05), 16, 10.9375},
      {"mix: 95 / 8 + 5 + 7 / 2", Speedup::mix(100, 8, 0.05, 0.5), 8, 20.375},
      {"mix beyond its bound pays the overhead", Speedup::mix(100, 8, 0.05, 0.5), 10, 21.375},
      {"power: 100 / sqrt(16)", Speedup::power(100, 0.5), 16, 25},
      {"table", Speedup::table({9, 5, 4}), 2, 5},
      {"amdahl by its parts", Speedup::amdahl_of_parts(95, 5), 16, 10.9375},
      {"no work", Speedup{}, 7, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    CHECK(row.speedup.time(row.processors) == row.time);
    CHECK(row.speedup.area(row.processors) == static_cast<double>(row.processors) * row.time);
  }
}

TEST_CASE("speedup: the fewest processors that are fastest") {
  struct Row {
    const char* why;
    Speedup speedup;
    std::int64_t processors;
    std::int64_t fastest;
  };
  const Row rows[] = {
      {"roofline, bound below the machine", Speedup::roofline(100, 5), 64, 5},
      {"roofline, bound beyond the machine", Speedup::roofline(100, 500), 64, 64},
      {"communication, 10 = sqrt(100)", Speedup::communication(100, 1), 64, 10},
      {"communication, 2 and 3 tie: 6/2 + 1 = 6/3 + 2", Speedup::communication(6, 1), 64, 2},
      {"communication, 3 and 4 tie", Speedup::communication(12, 1), 64, 3},
      {"communication without overhead", Speedup::communication(100, 0), 64, 64},
      {"communication, one step costs more than all work", Speedup::communication(1, 2), 64, 1},
      {"amdahl", Speedup::amdahl(100, 0.05), 64, 64},
      {"amdahl, nothing parallel", Speedup::amdahl(100, 1), 64, 1},
      {"mix, bound", Speedup::mix(100, 8, 0.05, 0.5), 64, 8},
      {"power", Speedup::power(100, 0.5), 64, 64},
      {"power 0", Speedup::power(100, 0), 64, 1},
      {"no work", Speedup::roofline(0, 9), 64, 1},
      {"table: the first of equals", Speedup::table({9, 4, 5, 4}), 4, 2},
      {"table, capped", Speedup::table({9, 8, 5, 4}, 3), 64, 3},
      {"a machine of 10^9", Speedup::communication(1e18, 1), 1'000'000'000, 1'000'000'000},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    CHECK(row.speedup.fastest(row.processors) == row.fastest);
  }
}

TEST_CASE("speedup: closed forms of the fastest, of area and of time equal a scan") {
  for (std::uint64_t k = 0; k < 4000; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const Speedup s = random_closed_form(random);
    const std::int64_t processors = random.integer(1, 400);
    const std::int64_t fastest = s.fastest(processors);
    REQUIRE(fastest == fastest_by_scan(s, processors));

    const double area = s.area(1) * (1 + 3 * random.uniform());
    std::int64_t largest = 1;
    for (std::int64_t p = 1; p <= fastest; ++p) {
      if (s.area(p) <= area) largest = p;
    }
    REQUIRE(largest_within_area(s, fastest, area) == largest);

    // Half of the limits are hit exactly.
    const double time = random.chance(0.5)
                            ? s.time(random.integer(1, fastest))
                            : s.time(fastest) + (s.time(1) - s.time(fastest)) * random.uniform();
    std::int64_t smallest = 1;
    while (smallest < fastest && s.time(smallest) > time) ++smallest;
    REQUIRE(smallest_within_time(s, fastest, time) == smallest);
  }
}

TEST_CASE("speedup: up to the fastest, time falls and area does not") {
  for (std::uint64_t k = 0; k < 500; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const Speedup s = random_closed_form(random);
    const std::int64_t fastest = s.fastest(random.integer(1, 400));
    for (std::int64_t p = 1; p < fastest; ++p) {
      REQUIRE(s.time(p + 1) < s.time(p));
      REQUIRE(s.area(p + 1) >= s.area(p) * (1 - 1e-14));
    }
  }
}

TEST_CASE("speedup: the machine's size costs nothing") {
  // 10^9 processors: the answers are found by closed form and a few steps.
  const Speedup s = Speedup::amdahl(1e12, 1e-6);
  CHECK(largest_within_area(s, s.fastest(1'000'000'000), 2e12) == 1'000'001);
  CHECK(smallest_within_time(s, s.fastest(1'000'000'000), 2e6) == 999'999);
}

TEST_CASE("frontier: dominated allocations are removed") {
  // On 3 slower than on 2; on 4 faster with less area than on 2.
  const Speedup s = Speedup::table({10, 8, 9, 3.5, 3.4});
  const auto frontier = pareto_frontier(s, 5);
  REQUIRE(frontier.size() == 3);
  CHECK(frontier[0].processors == 1);
  CHECK(frontier[1].processors == 4);
  CHECK(frontier[2].processors == 5);
  CHECK(s.least_area(5) == 10);
}

TEST_CASE("frontier: no allocation of the machine beats one of the frontier") {
  CHECK(rc::check([](const std::vector<unsigned char>& draws) {
    std::vector<double> times;
    for (const auto draw : draws) times.push_back(1.0 + draw);
    if (times.empty()) times.push_back(1);
    const auto processors = static_cast<std::int64_t>(times.size());
    const Speedup s = Speedup::table(times);
    const auto frontier = pareto_frontier(s, processors);
    for (std::int64_t p = 1; p <= processors; ++p) {
      RC_ASSERT(std::ranges::any_of(frontier, [&](const FrontierPoint& point) {
        return point.time <= s.time(p) && point.area <= s.area(p);
      }));
    }
    for (std::size_t k = 1; k < frontier.size(); ++k) {
      RC_ASSERT(frontier[k].time < frontier[k - 1].time);
      RC_ASSERT(frontier[k].area > frontier[k - 1].area);
    }
    const auto hull = convex_hull(frontier);
    RC_ASSERT(hull.front().processors == frontier.front().processors);
    RC_ASSERT(hull.back().processors == frontier.back().processors);
    for (std::size_t k = 1; k + 1 < hull.size(); ++k) {
      const double before = (hull[k].area - hull[k - 1].area) / (hull[k - 1].time - hull[k].time);
      const double after = (hull[k + 1].area - hull[k].area) / (hull[k].time - hull[k + 1].time);
      RC_ASSERT(before < after);
    }
  }));
}

}  // namespace holdfast
