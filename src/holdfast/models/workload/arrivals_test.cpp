#include "holdfast/models/workload/arrivals.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace holdfast;

namespace {

// Returns arrivals of a Poisson process over some days, thinned to `night` of the rate outside of 8 to 20 o'clock.
std::vector<double> drawn(double rate, double days, double night) {
  Stream stream({.purpose = Purpose::tool, .entity = 7});
  std::vector<double> out;
  for (double now = 0;;) {
    now += sample_exponential(stream, 1 / rate);
    if (now > days * 86400) return out;
    const double hour = std::fmod(now, 86400.0) / 3600;
    if ((hour >= 8 && hour < 20) || stream.chance(night)) out.push_back(now);
  }
}

}  // namespace

TEST_CASE("arrivals: gaps, hours and their dispersion by hand") {
  // From 23:00: 3 in the first hour, none in the second, 1 in the third; the last at 2:00.
  const std::vector<double> times = {82800, 82800, 84000, 90000, 93600};
  const Arrivals arrivals = arrivals_of(times);
  CHECK(arrivals.gaps == std::vector<Lifetime>{Lifetime::between(0, 1), Lifetime::exact(1200),
                                               Lifetime::exact(6000), Lifetime::exact(3600)});
  CHECK(arrivals.rate == 4 / 10800.0);
  CHECK(arrivals.hours == 3);
  // Counts 3, 0, 1: mean 4/3, variance 7/3.
  REQUIRE(arrivals.dispersion);
  CHECK(*arrivals.dispersion == doctest::Approx(7.0 / 4));
  CHECK(arrivals.by_hour[23] == 3 / 3600.0);
  CHECK(arrivals.by_hour[0] == 0);
  CHECK(arrivals.by_hour[1] == 1 / 3600.0);
  CHECK(!arrivals.by_hour[12]);
}

TEST_CASE("arrivals: a Poisson process has exponential gaps and dispersion 1") {
  const auto times = drawn(0.01, 60, 1);
  const Arrivals arrivals = arrivals_of(times);
  CHECK(arrivals.hours > 1430);
  // The dispersion of n Poisson counts has standard error sqrt(2 / n) = 0.037.
  CHECK(std::abs(*arrivals.dispersion - 1) < 0.15);
  const auto fit = fit_law(LawFamily::exponential, arrivals.gaps);
  REQUIRE(fit);
  const FittedParameter& mean = fit->parameter("mtbf");
  CHECK(std::abs(mean.value - 100) < 4 * mean.standard_error);
}

TEST_CASE("arrivals: days and nights are distinguished, and make more than Poisson's dispersion") {
  const auto times = drawn(0.01, 60, 0.2);
  const Arrivals arrivals = arrivals_of(times);
  for (std::size_t hour = 0; hour < 24; ++hour) {
    const double rate = hour >= 8 && hour < 20 ? 0.01 : 0.002;
    // 60 hours of it: standard error sqrt(rate / 216000).
    CHECK(std::abs(*arrivals.by_hour[hour] - rate) < 4.5 * std::sqrt(rate / 216000));
  }
  // Counts of 36 and 7.2 in turn: 1 + variance of the rate over its mean = 1 + 14.4^2 / 21.6 = 10.6.
  CHECK(*arrivals.dispersion == doctest::Approx(10.6).epsilon(0.06));
}
