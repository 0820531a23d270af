#include "holdfast/models/failures/fit_goodness.hpp"

#include "holdfast/kernel/samplers.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace holdfast;

TEST_CASE(
    "kolmogorov_smirnov: without censoring it is the plain test, up to the correction for small "
    "samples") {
  Stream stream{{.seed = 3, .purpose = Purpose::tool}};
  const Law law = weibull_law(0.7, 1000);
  std::vector<Lifetime> lives;
  std::vector<double> probabilities;
  for (int i = 0; i < 2000; ++i) {
    const double age = sample_weibull(stream, 0.7, 1000);
    lives.push_back(Lifetime::exact(age));
    probabilities.push_back(-std::expm1(-law.cumulative_hazard(age)));
  }
  std::sort(probabilities.begin(), probabilities.end());
  const KolmogorovSmirnov plain = kolmogorov_smirnov(probabilities);
  const GoodnessOfFit ours = kolmogorov_smirnov(lives, law);
  CHECK(ours.distance == doctest::Approx(plain.distance).epsilon(1e-9));
  CHECK(std::abs(ours.p_value - plain.p_value) < 0.01);
}

TEST_CASE(
    "kolmogorov_smirnov: with censoring, truncation and intervals, the p-value of the true law is "
    "uniform") {
  const Law law = weibull_law(1.3, 1000);
  std::vector<double> p_values;
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    Stream stream{{.seed = seed, .purpose = Purpose::tool}};
    std::vector<Lifetime> lives;
    while (lives.size() < 300) {
      const double age = sample_weibull(stream, 1.3, 1000);
      const double entry = stream.chance(0.5) ? stream.uniform(0, 400) : 0;
      const double end = entry + stream.uniform(0, 2500);
      if (age <= entry) continue;
      if (age > end) {
        lives.push_back(Lifetime::censored(end, entry));
      } else if (entry == 0 && stream.chance(0.3)) {
        const double step = 300 * std::floor(age / 300);
        lives.push_back(Lifetime::between(step, step + 300));
      } else {
        lives.push_back(Lifetime::exact(age, entry));
      }
    }
    p_values.push_back(kolmogorov_smirnov(lives, law).p_value);
  }
  std::sort(p_values.begin(), p_values.end());
  CHECK(kolmogorov_smirnov(p_values).p_value > 0.001);
  // The tail that decides: 5 % of true laws are rejected at 0.05 (40 of 800, standard error 6).
  const auto condemned =
      std::lower_bound(p_values.begin(), p_values.end(), 0.05) - p_values.begin();
  CHECK(condemned >= 20);
  CHECK(condemned <= 60);
}

TEST_CASE("kolmogorov_smirnov: a wrong law is rejected, censored or not") {
  Stream stream{{.seed = 5, .purpose = Purpose::tool}};
  std::vector<Lifetime> lives;
  for (int i = 0; i < 3000; ++i) {
    const double age = sample_weibull(stream, 0.7, 1000);
    const double end = sample_exponential(stream, 2000);
    lives.push_back(age < end ? Lifetime::exact(age) : Lifetime::censored(end));
  }
  CHECK(kolmogorov_smirnov(lives, weibull_law(0.7, 1000)).p_value > 0.01);
  CHECK(kolmogorov_smirnov(lives, exponential_law(1266)).p_value < 1e-6);
}

TEST_CASE(
    "brownian_bridge_tail: Kolmogorov's on the whole interval, less on a part, as for simulated "
    "bridges") {
  CHECK(brownian_bridge_tail(1.3581, 1) == doctest::Approx(0.05).epsilon(1e-3));
  CHECK(brownian_bridge_tail(0, 0.5) == 1);
  CHECK(brownian_bridge_tail(1.2, 0.9999) ==
        doctest::Approx(brownian_bridge_tail(1.2, 1)).epsilon(1e-3));
  // Hall and Wellner 1980, table 1: critical values of the 95 % band at 0.25, 0.5, 0.75, 0.9.
  CHECK(brownian_bridge_tail(1.014, 0.25) == doctest::Approx(0.05).epsilon(0.01));
  CHECK(brownian_bridge_tail(1.273, 0.5) == doctest::Approx(0.05).epsilon(0.01));
  CHECK(brownian_bridge_tail(1.354, 0.75) == doctest::Approx(0.05).epsilon(0.01));
  CHECK(brownian_bridge_tail(1.358, 0.9) == doctest::Approx(0.05).epsilon(0.01));
}
