#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

constexpr int kReplications = 10000;
constexpr int kLives = 1000;
constexpr double kCensored = 0.3;

/// Mean of exponential censoring times that end the given part of the lives of a law before their failure.
double censoring_mean(const Law& law) {
  double low = 1e-3 * law.mean();
  double high = 1e6 * law.mean();
  for (int i = 0; i < 60; ++i) {
    const double mean = std::sqrt(low * high);
    double censored = 0;
    for (int j = 0; j < 2000; ++j)
      censored += -std::expm1(-law.quantile((j + 0.5) / 2000) / mean) / 2000;
    (censored > kCensored ? low : high) = mean;
  }
  return low;
}

struct Truth {
  LawFamily family;
  Law law;
  std::vector<double> parameters;  ///< in the order of LawFit::parameters
};

std::vector<Truth> truths() {
  const Law weibull = weibull_law(0.7, 1e6);
  const Law gamma = gamma_law(0.6, 1e6);
  const Law lognormal = lognormal_law(12, 1.5);
  return {{LawFamily::exponential, exponential_law(1e6), {1e6}},
          {LawFamily::weibull, weibull, {0.7, 1e6, weibull.mean()}},
          {LawFamily::gamma, gamma, {0.6, 1e6, gamma.mean()}},
          {LawFamily::lognormal, lognormal, {12, 1.5, lognormal.mean()}}};
}

}  // namespace

TEST_CASE(
    "fit_law: 95 % intervals hold the truth in 94 to 96 % of 10000 replications of 1000 lives, 30 "
    "% censored" *
    doctest::test_suite("slow")) {
  for (const Truth& truth : truths()) {
    const double mean = censoring_mean(truth.law);
    std::vector<int> covered(truth.parameters.size());
    std::vector<Lifetime> lives(kLives);
    for (int replication = 0; replication < kReplications; ++replication) {
      Stream stream{{.seed = 1,
                     .purpose = Purpose::tool,
                     .instance = static_cast<std::uint64_t>(truth.family),
                     .scenario = static_cast<std::uint64_t>(replication)}};
      for (Lifetime& life : lives) {
        const double age = truth.law.draw(stream);
        const double end = sample_exponential(stream, mean);
        life = age < end ? Lifetime::exact(age) : Lifetime::censored(end);
      }
      const auto fit = fit_law(truth.family, lives);
      REQUIRE(fit);
      for (std::size_t i = 0; i < covered.size(); ++i) {
        const ConfidenceInterval& interval = fit->parameters[i].interval;
        if (interval.low <= truth.parameters[i] && truth.parameters[i] <= interval.high)
          ++covered[i];
      }
    }
    const auto names = fit_law(truth.family, lives)->parameters;
    for (std::size_t i = 0; i < covered.size(); ++i) {
      const double share = 100.0 * covered[i] / kReplications;
      const std::string line = std::string(name_of(truth.family)) + ", " +
                               std::string(names[i].name) + ": covered in " +
                               std::to_string(share).substr(0, 5) + " %";
      MESSAGE(line);
      CHECK_MESSAGE(share >= 94, line);
      CHECK_MESSAGE(share <= 96, line);
    }
  }
}
