#include "holdfast/kernel/samplers.hpp"

#include "holdfast/kernel/statistics.hpp"
#include "holdfast/math/incomplete_gamma.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

using namespace holdfast;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct SampledLaw {
  std::string_view name;
  std::function<double(Stream&)> sample;
  std::function<double(double)> cumulative;
};

/// The law given that its value lies in [low, high].
std::function<double(double)> truncated(const std::function<double(double)>& cumulative, double low,
                                        double high) {
  return [=](double x) {
    return (cumulative(x) - cumulative(low)) / (cumulative(high) - cumulative(low));
  };
}

double exponential(double x) {
  return -std::expm1(-x / 3);
}
double weibull(double x) {
  return -std::expm1(-std::pow(x / 2, 0.7));
}
double normal(double x) {
  return normal_cumulative((x - 1) / 2);
}
double lognormal(double x) {
  return normal_cumulative((std::log(x) - 1) / 2);
}
double gamma_below_one(double x) {
  return gamma_p(0.5, x / 4);
}
double gamma_above_one(double x) {
  return gamma_p(7.5, x / 4);
}

const SampledLaw kSampledLaws[] = {
    {"exponential", [](Stream& s) { return sample_exponential(s, 3); }, exponential},
    {"weibull", [](Stream& s) { return sample_weibull(s, 0.7, 2); }, weibull},
    {"normal", [](Stream& s) { return sample_normal(s, 1, 2); }, normal},
    {"lognormal", [](Stream& s) { return sample_lognormal(s, 1, 2); }, lognormal},
    {"gamma, shape below 1", [](Stream& s) { return sample_gamma(s, 0.5, 4); }, gamma_below_one},
    {"gamma, shape above 1", [](Stream& s) { return sample_gamma(s, 7.5, 4); }, gamma_above_one},
    {"truncated normal", [](Stream& s) { return sample_truncated_normal(s, 1, 2, -kInfinity, 2); },
     truncated(normal, -kInfinity, 2)},
    {"truncated normal, upper tail",
     [](Stream& s) { return sample_truncated_normal(s, 1, 2, 3, 9); }, truncated(normal, 3, 9)},
    {"truncated gamma", [](Stream& s) { return sample_truncated_gamma(s, 0.5, 4, 0, 1); },
     truncated(gamma_below_one, 0, 1)},
    {"truncated gamma, upper half",
     [](Stream& s) { return sample_truncated_gamma(s, 7.5, 4, 40, 90); },
     truncated(gamma_above_one, 40, 90)},
};

}  // namespace

TEST_CASE("normal quantile: undoes the cumulative in both tails") {
  CHECK(normal_quantile(0.5) == 0);
  CHECK(normal_quantile(0.975) == doctest::Approx(1.959963984540054).epsilon(1e-15));
  CHECK(normal_quantile(1e-300) == doctest::Approx(-37.0471).epsilon(1e-6));
  for (const double p : {1e-250, 1e-20, 1e-16, 1e-5, 0.02, 0.0749, 0.0751, 0.3, 0.7, 0.99}) {
    CAPTURE(p);
    CHECK(normal_cumulative(normal_quantile(p)) == doctest::Approx(p).epsilon(1e-13));
  }
}

TEST_CASE("samplers: 100 000 values of each law pass Kolmogorov-Smirnov") {
  std::uint64_t entity = 0;
  for (const SampledLaw& law : kSampledLaws) {
    CAPTURE(law.name);
    Stream stream({.seed = 20, .purpose = Purpose::tool, .entity = entity++});
    std::vector<double> probabilities(100'000);
    for (double& p : probabilities) p = law.cumulative(law.sample(stream));
    std::sort(probabilities.begin(), probabilities.end());
    const auto test = kolmogorov_smirnov(probabilities);
    CAPTURE(test.distance);
    CHECK(test.p_value > 0.01);
  }
}

TEST_CASE("samplers: truncated values stay inside, however narrow the interval") {
  CHECK(rc::check([](std::uint64_t seed, std::uint16_t start, std::uint16_t length) {
    Stream stream({.seed = seed, .purpose = Purpose::tool});
    const double low = start / 65536.0 * 5;
    const double high = low + (length + 1) * 1e-9;
    for (const double x : {sample_truncated_normal(stream, 1, 2, low, high),
                           sample_truncated_gamma(stream, 1.5, 2, low, high)}) {
      RC_ASSERT(x >= low);
      RC_ASSERT(x <= high);
    }
  }));
}

TEST_CASE("samplers: inversion draws the same probability with every parameter") {
  // One uniform number each: the second value comes from the same place of the stream.
  Stream a({.seed = 9, .purpose = Purpose::failures});
  Stream b({.seed = 9, .purpose = Purpose::failures});
  for (int i = 0; i < 100; ++i)
    CHECK(sample_weibull(b, 0.7, 6) == doctest::Approx(3 * sample_weibull(a, 0.7, 2)));
}

TEST_CASE("samplers: gamma of a tiny shape is small, never 0") {
  Stream stream({.seed = 1, .purpose = Purpose::tool});
  for (int i = 0; i < 1000; ++i) CHECK(sample_gamma(stream, 1e-3, 1) > 0);
}

TEST_CASE("samplers: pinned values") {
  Stream stream({.seed = 1, .purpose = Purpose::tool});
  CHECK(sample_exponential(stream, 1) == 0.82798505003110623);
  CHECK(sample_weibull(stream, 0.7, 2) == 0.65498905344795633);
  CHECK(sample_normal(stream, 0, 1) == -0.4024024901851509);
  CHECK(sample_lognormal(stream, 1, 2) == 12.363436898211301);
  CHECK(sample_gamma(stream, 0.5, 4) == 0.40491750380630975);
  CHECK(sample_gamma(stream, 7.5, 4) == 16.400686137467808);
  const auto skip = [&stream](int numbers) {  // to the places where the values below were pinned
    for (int i = 0; i < numbers; ++i) stream.uniform();
  };
  skip(2);
  CHECK(sample_truncated_normal(stream, 0, 1, 3, 9) == 3.1165102173325789);
  skip(1);
  CHECK(sample_truncated_gamma(stream, 7.5, 4, 40, 90) == 42.430459245266761);
}
