#include "holdfast/models/failures/fit_curve.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ConfidenceInterval log_log_interval(const SurvivalStep& step, double confidence) {
  const double minus_log = -elementary::log(step.survival);
  if (!(minus_log > 0)) return {1, 1};
  const double spread =
      normal_quantile(0.5 + 0.5 * confidence) * std::sqrt(step.survival_variance) / minus_log;
  return {elementary::exp(-minus_log * elementary::exp(spread)),
          elementary::exp(-minus_log * elementary::exp(-spread))};
}

}  // namespace

SurvivalCurve::SurvivalCurve(std::span<const Lifetime> lives) {
  std::vector<std::pair<double, bool>> ends;  // age, and whether it is a failure
  std::vector<double> entries;
  ends.reserve(lives.size());
  entries.reserve(lives.size());
  for (const Lifetime& life : lives) {
    const bool has_failed = !life.is_censored();
    ends.emplace_back(has_failed ? 0.5 * (life.low + life.high) : life.low, has_failed);
    entries.push_back(life.entry);
  }
  std::sort(ends.begin(), ends.end());
  std::sort(entries.begin(), entries.end());
  if (!ends.empty()) last_age_ = ends.back().first;

  SurvivalStep now;
  std::size_t entered = 0;
  for (std::size_t i = 0; i < ends.size();) {
    const double age = ends[i].first;
    while (entered < entries.size() && entries[entered] < age) ++entered;
    now.at_risk = static_cast<std::int64_t>(entered) - static_cast<std::int64_t>(i);
    now.failures = 0;
    for (; i < ends.size() && ends[i].first == age; ++i) now.failures += ends[i].second ? 1 : 0;
    if (now.failures == 0) continue;
    const auto risk = static_cast<double>(now.at_risk);
    const auto failed = static_cast<double>(now.failures);
    now.age = age;
    now.survival *= 1 - failed / risk;
    now.survival_variance +=
        now.failures < now.at_risk ? failed / (risk * (risk - failed)) : kInfinity;
    now.hazard += failed / risk;
    now.hazard_variance += failed / (risk * risk);
    steps_.push_back(now);
  }
}

const SurvivalStep* SurvivalCurve::step_at(double age) const {
  const auto after =
      std::upper_bound(steps_.begin(), steps_.end(), age,
                       [](double x, const SurvivalStep& step) { return x < step.age; });
  return after == steps_.begin() ? nullptr : &*(after - 1);
}

double SurvivalCurve::survival(double age) const {
  const SurvivalStep* step = step_at(age);
  return step == nullptr ? 1 : step->survival;
}

double SurvivalCurve::hazard(double age) const {
  const SurvivalStep* step = step_at(age);
  return step == nullptr ? 0 : step->hazard;
}

ConfidenceInterval SurvivalCurve::survival_interval(double age, double confidence) const {
  const SurvivalStep* step = step_at(age);
  if (step == nullptr) return {1, 1};
  if (step->survival > 0) return log_log_interval(*step, confidence);
  const SurvivalStep* before = step;
  while (before != steps_.data() && !(before->survival > 0)) --before;
  return {0, before->survival > 0 ? log_log_interval(*before, confidence).high : 1};
}

}  // namespace holdfast
