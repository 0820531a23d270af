#include "holdfast/kernel/samplers.hpp"
#include "holdfast/kernel/statistics.hpp"
#include "holdfast/math/incomplete_gamma.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>

using namespace holdfast;

namespace {

double log_binomial(double n, double p, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
         (n - k) * std::log1p(-p);
}

struct Law {
  std::string_view name;
  std::function<std::int64_t(Stream&)> sample;
  std::function<double(double)> log_probability;
};

const Law kLaws[] = {
    {"binomial, inversion", [](Stream& s) { return sample_binomial(s, 20, 0.2); },
     [](double k) { return log_binomial(20, 0.2, k); }},
    {"binomial, inversion, tiny p",
     [](Stream& s) { return sample_binomial(s, 1'000'000'000, 3e-9); },
     [](double k) { return k * std::log(3.0) - 3 - std::lgamma(k + 1); }},
    {"binomial, rejection", [](Stream& s) { return sample_binomial(s, 100, 0.4); },
     [](double k) { return log_binomial(100, 0.4, k); }},
    {"binomial, rejection, barely", [](Stream& s) { return sample_binomial(s, 25, 0.401); },
     [](double k) { return log_binomial(25, 0.401, k); }},
    {"binomial, mirrored", [](Stream& s) { return sample_binomial(s, 60, 0.75); },
     [](double k) { return log_binomial(60, 0.75, k); }},
    {"geometric", [](Stream& s) { return sample_geometric(s, 0.3); },
     [](double k) { return std::log(0.3) + k * std::log(0.7); }},
};

/// Chi-square over the values expected 20 times or more; all others together are one class.
double chi_square_p_value(const std::map<std::int64_t, double>& seen, double total,
                          const std::function<double(double)>& log_probability) {
  double statistic = 0;
  double rest_expected = total;
  double rest_seen = total;
  double classes = 0;
  for (const auto& [k, count] : seen) {
    const double expected = total * std::exp(log_probability(static_cast<double>(k)));
    if (expected < 20) continue;
    statistic += (count - expected) * (count - expected) / expected;
    rest_expected -= expected;
    rest_seen -= count;
    classes += 1;
  }
  if (rest_expected >= 20) {
    statistic += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
    classes += 1;
  }
  return gamma_q((classes - 1) / 2, statistic / 2);
}

}  // namespace

TEST_CASE("counts: 200 000 values of each law pass a chi-square test") {
  std::uint64_t entity = 0;
  for (const Law& law : kLaws) {
    CAPTURE(law.name);
    Stream stream({.seed = 21, .purpose = Purpose::tool, .entity = entity++});
    std::map<std::int64_t, double> seen;
    const double total = 200'000;
    for (int i = 0; i < 200'000; ++i) seen[law.sample(stream)] += 1;
    CHECK(chi_square_p_value(seen, total, law.log_probability) > 0.01);
  }
}

TEST_CASE("binomial: a billion trials keep mean and variance") {
  Stream stream({.seed = 4, .purpose = Purpose::tool});
  Moments moments;
  for (int i = 0; i < 100'000; ++i) {
    moments.add(static_cast<double>(sample_binomial(stream, 1'000'000'000, 0.25)));
  }
  const double variance = 1e9 * 0.25 * 0.75;
  CHECK(std::abs(moments.mean() - 2.5e8) < 4 * std::sqrt(variance / 1e5));
  CHECK(*moments.variance() == doctest::Approx(variance).epsilon(4 * std::sqrt(2 / 1e5)));
}

TEST_CASE("counts: the edges of the parameters") {
  Stream stream({.seed = 6, .purpose = Purpose::tool});
  CHECK(sample_binomial(stream, 0, 0.5) == 0);
  CHECK(sample_binomial(stream, 12, 0) == 0);
  CHECK(sample_binomial(stream, 12, 1) == 12);
  CHECK(sample_binomial(stream, 1'000'000'000, 1e-300) == 0);
  CHECK(sample_geometric(stream, 1) == 0);
  CHECK(sample_geometric(stream, 1e-300) == std::int64_t{1} << 62);
}

TEST_CASE("counts: pinned values") {
  Stream stream({.seed = 1, .purpose = Purpose::tool});
  CHECK(sample_binomial(stream, 20, 0.2) == 4);
  CHECK(sample_binomial(stream, 1'000'000'000, 0.25) == 249'994'782);
  CHECK(sample_binomial(stream, 100'000, 0.01) == 1027);
  for (int i = 0; i < 3; ++i) stream.uniform();  // to the place where the value below was pinned
  CHECK(sample_geometric(stream, 1e-3) == 1390);
}
