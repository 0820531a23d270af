#include "holdfast/domains/taskgraph/guarantee.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace holdfast::taskgraph {
namespace {

constexpr double kRounding = 1e-12;

}  // namespace

double common_mu(double alpha, double beta) {
  assert(alpha >= 1 && beta >= 1);
  // The source's (s - sqrt(s^2 - 4 beta)) / (2 beta) with s = alpha + beta + 1, in a form without
  // cancellation.
  const double sum = alpha + beta + 1;
  return 2 / (sum + std::sqrt(sum * sum - 4 * beta));
}

std::optional<double> proven_ratio(const Guarantee& guarantee) {
  const auto [alpha, beta, mu] = guarantee;
  if (!(alpha >= 1 && beta >= 1 && mu > 0 && mu < 1)) return std::nullopt;
  if (!(beta >= mu * (alpha - 1) / ((1 - mu) * (1 - mu)) * (1 - kRounding))) return std::nullopt;
  const double ratio = beta + alpha / (1 - mu);
  if (!(ratio >= (1 - kRounding) / mu)) return std::nullopt;
  return std::max(ratio, 1 / mu);
}

std::optional<Guarantee> guarantee_of(SpeedupModel model) {
  // mu by its definition: the closed forms of Table III suffer from cancellation, and for Amdahl
  // they miss beta + alpha / (1 - mu) = 1 / mu by 2e-15. The tests compare both.
  const auto with = [](double alpha, double beta) {
    return Guarantee{.alpha = alpha, .beta = beta, .mu = common_mu(alpha, beta)};
  };
  const double root2 = std::sqrt(2.0);
  switch (model) {
    case SpeedupModel::roofline:
      return with(1, 1);
    case SpeedupModel::communication:
      return with(4.0 / 3, 1.5);
    case SpeedupModel::amdahl:
      return with((root2 + 1 + std::sqrt(2 * root2 - 1)) / 2, (1 + std::sqrt(4 * root2 + 5)) / 2);
    case SpeedupModel::mix:
      return with(2, 27.0 / 13);
    case SpeedupModel::power:
    case SpeedupModel::table:
      return std::nullopt;
  }
  return std::nullopt;
}

SpeedupModel common_model(std::span<const Speedup> tasks) {
  assert(!tasks.empty());
  SpeedupModel common = tasks.front().model();
  for (const Speedup& task : tasks) {
    const SpeedupModel model = task.model();
    if (model == common) continue;
    if (model == SpeedupModel::power || model == SpeedupModel::table) return model;
    if (common == SpeedupModel::power || common == SpeedupModel::table) return common;
    common = SpeedupModel::mix;
  }
  return common;
}

}  // namespace holdfast::taskgraph
