#include "holdfast/models/failures/fit_curve.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/sort_numbers.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
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

bool is_between(const Lifetime& life) {
  return !life.is_exact() && !life.is_censored();
}

/// Returns true if no age at which something is known lies inside an interval between inspections. Then all lives of an interval
/// were at risk at its end, and Turnbull's estimate is Kaplan-Meier's.
bool are_intervals_apart(std::span<const Lifetime> lives) {
  std::vector<double> ages;
  for (const Lifetime& life : lives) {
    for (const double age : {life.low, life.high, life.entry}) ages.push_back(age);
  }
  sort_numbers(ages);
  return std::ranges::all_of(lives, [&ages](const Lifetime& life) {
    return !is_between(life) || *std::ranges::upper_bound(ages, life.low) >= life.high;
  });
}

}  // namespace

SurvivalCurve::SurvivalCurve(std::span<const Lifetime> lives) {
  for (const Lifetime& life : lives) {
    begun_ += life.entry > 0 ? 0 : 1;
    last_known_ = std::max(last_known_, life.low);
    last_age_ = std::max(last_age_, life.is_censored() ? life.low : life.high);
  }
  if (std::ranges::none_of(lives, is_between) || are_intervals_apart(lives)) {
    count(lives);
  } else {
    take_turnbull(lives);
  }
}

void SurvivalCurve::take_turnbull(std::span<const Lifetime> lives) {
  turnbull_ = std::make_shared<const TurnbullEstimate>(lives);
  double survival = 1;
  double hazard = 0;
  for (const SurvivalDrop& drop : turnbull_->drops()) {
    if (std::isinf(drop.to)) break;
    hazard += std::min(1.0, drop.mass / survival);
    survival = std::max(0.0, survival - drop.mass);
    if (survival < 1e-9) survival = 0;
    const auto at_risk = std::ranges::count_if(lives, [&drop](const Lifetime& life) {
      return life.entry < drop.to && (life.is_censored() ? life.low : life.high) >= drop.to;
    });
    const auto failures = std::llround(drop.mass * static_cast<double>(lives.size()));
    steps_.push_back({.age = drop.to,
                      .from = drop.from,
                      .at_risk = at_risk,
                      .failures = failures,
                      .survival = survival,
                      .hazard = hazard});
  }
}

bool SurvivalCurve::has_gaps() const {
  return std::ranges::any_of(steps_, [](const SurvivalStep& step) { return step.from < step.age; });
}

void SurvivalCurve::count(std::span<const Lifetime> lives) {
  std::vector<double> failures;  // ages
  std::vector<double> censored;
  std::vector<double> entries;      // those after age 0: most lives are seen from their beginning
  std::map<double, double> begins;  // of the gap before an age, which begins at the other
  failures.reserve(lives.size());
  for (const Lifetime& life : lives) {
    (life.is_censored() ? censored : failures).push_back(life.is_censored() ? life.low : life.high);
    if (life.entry > 0) entries.push_back(life.entry);
    if (is_between(life)) begins.emplace(life.high, life.low);
  }
  for (const Lifetime& life : lives) {
    if (life.is_exact()) begins.erase(life.high);
  }
  for (auto* ages : {&failures, &censored, &entries}) sort_numbers(*ages);

  SurvivalStep now;
  const std::size_t from_start = lives.size() - entries.size();
  std::size_t entered = 0;
  std::size_t gone = 0;
  steps_.reserve(failures.size());
  for (std::size_t i = 0; i < failures.size();) {
    const double age = failures[i];
    while (entered < entries.size() && entries[entered] < age) ++entered;
    while (gone < censored.size() && censored[gone] < age) ++gone;
    now.at_risk =
        static_cast<std::int64_t>(from_start + entered) - static_cast<std::int64_t>(gone + i);
    now.failures = 0;
    for (; i < failures.size() && failures[i] == age; ++i) ++now.failures;
    const auto risk = static_cast<double>(now.at_risk);
    const auto failed = static_cast<double>(now.failures);
    now.age = age;
    const auto gap = begins.find(age);
    now.from = gap == begins.end() ? age : gap->second;
    now.survival *= 1 - failed / risk;
    now.survival_variance +=
        now.failures < now.at_risk ? failed / (risk * (risk - failed)) : kInfinity;
    now.hazard += failed / risk;
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

ConfidenceInterval SurvivalCurve::survival_interval(double age, double confidence) const {
  const SurvivalStep* step = step_at(age);
  if (step == nullptr) return {1, 1};
  if (turnbull_)
    return turnbull_->limits(static_cast<std::size_t>(step - steps_.data()) + 1, confidence);
  if (step->survival > 0) return log_log_interval(*step, confidence);
  const SurvivalStep* before = step;
  while (before != steps_.data() && !(before->survival > 0)) --before;
  return {0, before->survival > 0 ? log_log_interval(*before, confidence).high : 1};
}

}  // namespace holdfast
