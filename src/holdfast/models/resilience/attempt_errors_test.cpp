#include "holdfast/models/resilience/attempt_errors.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace holdfast {
namespace {

Speedup random_job(Stream& random, std::int64_t processors) {
  const double work = random.uniform(1, 100);
  switch (random.integer(0, 5)) {
    case 0:
      return Speedup::roofline(work, random.integer(1, processors + 2));
    case 1:
      return Speedup::communication(work, random.uniform(0, work / 20));
    case 2:
      return Speedup::amdahl(work, random.uniform() * random.uniform());
    case 3:
      return Speedup::mix(work, random.integer(1, processors + 2), random.uniform(0, 0.3),
                          random.uniform(0, work / 20));
    case 4:
      return Speedup::power(work, random.uniform());
    default:
      break;
  }
  std::vector<double> times;
  for (std::int64_t p = 1; p <= processors; ++p) {
    times.push_back(work / (1 + static_cast<double>(p) * random.uniform()));
  }
  return Speedup::table(std::move(times));
}

ErrorLaw random_law(Stream& random) {
  return {random.chance(0.5) ? ErrorModel::area : ErrorModel::fail_stop,
          std::pow(10.0, random.uniform(-4, -1))};
}

std::vector<std::vector<double>> random_strikes(Stream& random, std::size_t jobs, double mean) {
  std::vector<std::vector<double>> out(jobs);
  for (auto& of_job : out) {
    for (std::int64_t k = random.integer(0, 3); k > 0; --k) {
      of_job.push_back(-mean * std::log(random.uniform()));
    }
  }
  return out;
}

// Tries all numbers of processors for all attempts of one job.
LeastRun by_search(const Speedup& speedup, std::int64_t processors, ErrorModel model,
                   const std::vector<double>& strikes, std::size_t attempt = 0) {
  LeastRun best{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (std::int64_t p = 1; p <= speedup.limit(processors); ++p) {
    const double time = speedup.time(p), area = speedup.area(p);
    LeastRun here{time, area};
    if (attempt < strikes.size() && area > strikes[attempt]) {
      const LeastRun after = by_search(speedup, processors, model, strikes, attempt + 1);
      if (model == ErrorModel::fail_stop) {
        here = {strikes[attempt] / static_cast<double>(p), strikes[attempt]};
      }
      here.time += after.time;
      here.area += after.area;
    }
    best.time = std::min(best.time, here.time);
    best.area = std::min(best.area, here.area);
  }
  return best;
}

}  // namespace

TEST_CASE("attempt errors: expected costs are sums over the attempts") {
  for (const double errors : {1e-9, 0.01, 0.5, 2.0, 6.0}) {
    CAPTURE(errors);
    const double area = 50, rate = errors / area;
    const double q = 1 - std::exp(-errors);
    double attempts = 0, reached = 1;  // probability that an attempt is made
    for (; reached > 1e-18; reached *= q) attempts += reached;
    CHECK(expected_stretch({ErrorModel::area, rate}, area) ==
          doctest::Approx(attempts).epsilon(1e-12));
    // An attempt that is struck has used 1 / rate - area / (exp(errors) - 1) processor-seconds on average.
    const double struck = 1 / rate - area / std::expm1(errors);
    const double stopped = (q / (1 - q) * struck + area) / area;
    CHECK(expected_stretch({ErrorModel::fail_stop, rate}, area) ==
          doctest::Approx(stopped).epsilon(errors < 1e-6 ? 1e-7 : 1e-12));
  }
  CHECK(expected_stretch({ErrorModel::fail_stop, 0}, 7) == 1);
  CHECK(expected_stretch({ErrorModel::area, 0}, 7) == 1);
}

TEST_CASE("attempt errors: the fast searches are the scans of all numbers of processors") {
  for (std::uint64_t k = 0; k < 3000; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const std::int64_t processors = random.integer(1, 60);
    const Speedup job = random_job(random, processors);
    const ErrorLaw law = random_law(random);
    const auto time = [&](std::int64_t p) {
      return job.time(p) * expected_stretch(law, job.area(p));
    };
    double least = time(1);
    for (std::int64_t p = 2; p <= processors; ++p) least = std::min(least, time(p));
    const std::int64_t fastest = fastest_with_errors(job, processors, law);
    REQUIRE(time(fastest) <= least * (1 + 1e-9));
    for (std::int64_t p = 1; p < fastest; ++p) REQUIRE(time(p) > least);
    const double limit = least * random.uniform(0.9, 3);
    std::int64_t least_area = fastest;
    for (std::int64_t p = fastest; p >= 1; --p) {
      const bool is_less = job.is_monotone() || expected_area(law, job.area(p)) <=
                                                    expected_area(law, job.area(least_area));
      if (time(p) <= limit && is_less) least_area = p;
    }
    REQUIRE(smallest_within_expected(job, fastest, law, limit) == least_area);
  }
}

TEST_CASE("attempt errors: the least run of a job is what a search over all its attempts finds") {
  for (std::uint64_t k = 0; k < 2000; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const std::int64_t processors = random.integer(1, 6);
    const Speedup job = random_job(random, processors);
    const ErrorModel model = random_law(random).model;
    const auto strikes = random_strikes(random, 1, 2 * job.sequential_time());
    Strikes ahead({.model = model}, strikes);
    const LeastRun found = least_run(job, processors, 0, ahead);
    const LeastRun best = by_search(job, processors, model, strikes.front());
    REQUIRE(found.time <= best.time * (1 + 1e-12));
    REQUIRE(found.area == doctest::Approx(best.area).epsilon(1e-12));
    if (job.is_monotone()) REQUIRE(found.time == doctest::Approx(best.time).epsilon(1e-12));
  }
}

TEST_CASE("attempt errors: drawn strikes have the law, are the same again, and grow apart by job") {
  const ErrorLaw law{ErrorModel::area, 1e-3};
  Strikes strikes({.seed = 4, .purpose = Purpose::failures}, law, 3);
  Strikes again({.seed = 4, .purpose = Purpose::failures}, law, 3);
  CHECK(strikes.next(0) != strikes.next(1));
  double sum = 0, squares = 0;
  constexpr int kDraws = 40'000;
  for (int draw = 0; draw < kDraws; ++draw) {
    REQUIRE(strikes.next(2) == again.next(2));
    sum += strikes.next(2);
    squares += strikes.next(2) * strikes.next(2);
    strikes.advance(2);
    again.advance(2);
  }
  // Mean 1000 and mean square 2e6; the standard errors are 5 and 2.2e4.
  CHECK(std::fabs(sum / kDraws - 1000) < 20);
  CHECK(std::fabs(squares / kDraws - 2e6) < 9e4);
  CHECK(again.next(0) == Strikes({.seed = 4, .purpose = Purpose::failures}, law, 1).next(0));
}

TEST_CASE("attempt errors: an attempt is struck where its area reaches the strike") {
  Strikes stop({.model = ErrorModel::fail_stop}, {{12, 5}, {}});
  CHECK(stop.fails(0, 3, 5));  // 15 > 12
  CHECK(stop.duration(0, 3, 5) == 4);
  CHECK(!stop.fails(0, 3, 4));  // 12 is not beyond
  CHECK(stop.duration(0, 3, 4) == 4);
  CHECK(!stop.fails(1, 1000, 1e9));
  stop.advance(0);
  CHECK(stop.duration(0, 2, 4) == 2.5);
  stop.advance(0);
  CHECK(!stop.fails(0, 2, 1e9));
  const Strikes silent({.model = ErrorModel::area}, {{12}});
  CHECK(silent.fails(0, 3, 5));
  CHECK(silent.duration(0, 3, 5) == 5);
}

TEST_CASE("attempt errors: texts") {
  CHECK(errors_text({ErrorModel::area, 1e-7}) ==
        "a silent error every 115 d 18 h of each busy processor");
  CHECK(errors_text({ErrorModel::fail_stop, 1e-7}) ==
        "an error that ends the attempt every 115 d 18 h of each busy processor");
  CHECK(errors_text({ErrorModel::work, 1e-7}) == "a silent error every 115 d 18 h of work");
  CHECK(errors_text({ErrorModel::area, 0}) == "no silent errors");
}

}  // namespace holdfast
