#include "holdfast/domains/taskgraph/guarantee.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace holdfast::taskgraph {
namespace {

// The alpha in [low, high] that minimises 1 / common_mu(alpha, beta(alpha)), to about 1e-9: the source's recipe for a model of which only
// beta(alpha) is known (section 3.4.3). By bisection on the sign of the slope: comparing values of a function near its minimum, as a golden
// section does, would find alpha only to the square root of the machine's precision.
Guarantee best_guarantee(const std::function<double(double)>& beta, double low, double high) {
  const auto ratio = [&](double alpha) { return 1 / common_mu(alpha, beta(alpha)); };
  const double step = 1e-5 * (high - low);
  while (high - low > 1e-10 * high) {
    const double middle = (low + high) / 2;
    (ratio(middle + step) < ratio(middle - step) ? low : high) = middle;
  }
  const double alpha = (low + high) / 2;
  return {.alpha = alpha, .beta = beta(alpha), .mu = common_mu(alpha, beta(alpha))};
}

}  // namespace

TEST_CASE("guarantee: Table III to 12 digits") {
  struct Row {
    SpeedupModel model;
    double alpha, beta, mu, ratio;
    double closed_mu;  // as Table III writes it
  };
  const Row rows[] = {
      {SpeedupModel::roofline, 1, 1, 0.381966011250, 2.618033988750, (3 - std::sqrt(5.0)) / 2},
      {SpeedupModel::communication, 4.0 / 3, 1.5, 0.294899665947, 3.390983834413,
       (23 - std::sqrt(313.0)) / 18},
      {SpeedupModel::amdahl, 1.883203505914, 2.132241882312, 0.219951567142, 4.546455444685,
       (1 - std::sqrt(8 * std::sqrt(2.0) - 11)) / 2},
      {SpeedupModel::mix, 2, 2.076923076923, 0.216068317985, 4.628165801109,
       (33 - std::sqrt(738.0)) / 27},
  };
  for (const Row& row : rows) {
    CAPTURE(name(row.model));
    const Guarantee found = guarantee_of(row.model).value();
    CHECK(std::abs(found.alpha - row.alpha) < 1e-12);
    CHECK(std::abs(found.beta - row.beta) < 1e-12);
    CHECK(std::abs(found.mu - row.mu) < 1e-12);
    CHECK(std::abs(found.ratio() - row.ratio) < 1e-12);
    // The identity that defines mu, in all rows to 1e-15 (relative).
    CHECK(std::abs((found.beta + found.alpha / (1 - found.mu)) * found.mu - 1) < 1e-15);
    CHECK(std::abs(found.mu - row.closed_mu) < 1e-15);
    CHECK(std::abs(proven_ratio(found).value() - row.ratio) < 1e-11);
  }
  CHECK(!guarantee_of(SpeedupModel::power));
  CHECK(!guarantee_of(SpeedupModel::table));
}

TEST_CASE("guarantee: the condition on beta has the values that the source quotes") {
  const auto least_beta = [](SpeedupModel model) {
    const Guarantee g = guarantee_of(model).value();
    return g.mu * (g.alpha - 1) / ((1 - g.mu) * (1 - g.mu));
  };
  CHECK(least_beta(SpeedupModel::roofline) == 0);
  CHECK(least_beta(SpeedupModel::communication) == doctest::Approx(0.1977).epsilon(1e-3));
  CHECK(least_beta(SpeedupModel::amdahl) == doctest::Approx(0.3193).epsilon(1e-3));
  CHECK(least_beta(SpeedupModel::mix) == doctest::Approx(0.3516).epsilon(1e-3));
}

TEST_CASE("guarantee: for Amdahl, (alpha - 1)^2 is 1 - mu, and not mu as Remark 2 says") {
  const Guarantee g = guarantee_of(SpeedupModel::amdahl).value();
  CHECK(std::abs((g.alpha - 1) * (g.alpha - 1) - 0.780048432858) < 1e-12);
  CHECK(std::abs((g.alpha - 1) * (g.alpha - 1) - (1 - g.mu)) < 1e-15);
}

TEST_CASE("guarantee: minimising over alpha with beta = alpha / (alpha - 1) finds the Amdahl row") {
  const Guarantee found =
      best_guarantee([](double alpha) { return alpha / (alpha - 1); }, 1.1, 4.0);
  const Guarantee row = guarantee_of(SpeedupModel::amdahl).value();
  CHECK(std::abs(found.alpha - row.alpha) < 1e-8);
  CHECK(std::abs(found.mu - row.mu) < 1e-12);
}

TEST_CASE("guarantee: no ratio where a condition of Lemma 18 fails") {
  CHECK(!proven_ratio({.alpha = 1, .beta = 1, .mu = 0.3}));  // 1 + 1 / 0.7 = 2.43 < 1 / 0.3
  CHECK(!proven_ratio({.alpha = 9, .beta = 1, .mu = 0.6}));  // 0.6 * 8 / 0.16 = 30 > beta
  CHECK(!proven_ratio({.alpha = 0.5, .beta = 1, .mu = 0.4}));
  CHECK(!proven_ratio({.alpha = 1, .beta = NAN, .mu = 0.4}));
  // Larger than necessary: the sum counts, 1 + 1 / 0.5.
  CHECK(proven_ratio({.alpha = 1, .beta = 1, .mu = 0.5}).value() == 3);
}

TEST_CASE("guarantee: the smallest model that contains them all") {
  const Speedup roofline = Speedup::roofline(1, 2);
  const Speedup amdahl = Speedup::amdahl(1, 0.5);
  const Speedup power = Speedup::power(1, 0.5);
  const Speedup table = Speedup::table({1.0});
  const auto of = [](std::vector<Speedup> tasks) { return common_model(tasks); };
  CHECK(of({roofline, roofline}) == SpeedupModel::roofline);
  CHECK(of({amdahl}) == SpeedupModel::amdahl);
  CHECK(of({roofline, amdahl, roofline}) == SpeedupModel::mix);
  CHECK(of({roofline, power}) == SpeedupModel::power);
  CHECK(of({table, roofline, amdahl}) == SpeedupModel::table);
}

}  // namespace holdfast::taskgraph
