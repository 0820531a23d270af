#include "holdfast/domains/cosched/expected_time.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace holdfast::cosched {

TaskTimes::TaskTimes(const Instance& instance, const Task& task)
    : downtime_{instance.downtime},
      data_{task.data},
      move_cost_{instance.redistribution_unit_cost} {
  if (const auto* mlog = std::get_if<MLogProfile>(&task.profile)) {
    // j t(j) = f T1 j + (1 - f) T1 + m log2 m
    const double spread = task.data * elementary::log2(task.data);
    const double sequential = 2 * spread;
    area_slope_ = mlog->sequential_fraction * sequential;
    area_constant_ = (1 - mlog->sequential_fraction) * sequential + spread;
  } else {
    speedup_ = &std::get<Speedup>(task.profile);
  }
  if (instance.fault_free) {
    mtbf_ = span_ = std::numeric_limits<double>::infinity();
    return;
  }
  mtbf_ = instance.mtbf;
  rate_ = 1 / mtbf_;
  saved_ = instance.checkpoint_unit_cost * task.data;
  span_ = std::sqrt(2 * mtbf_ * saved_);
  inverse_span_ = 1 / span_;
  recovery_factor_ = elementary::exp(rate_ * saved_);
  period_growth_ = elementary::expm1(rate_ * (span_ + saved_));
  stretch_ = mtbf_ * recovery_factor_ * period_growth_ / span_;
  // The line B u and expm1(lambda S u), 0 <= u <= 1, are farthest apart where their slopes agree.
  const double slope = rate_ * span_;
  const double farthest = std::clamp(elementary::log(period_growth_ / slope) / slope, 0.0, 1.0);
  slack_ =
      mtbf_ * recovery_factor_ * (farthest * period_growth_ - elementary::expm1(slope * farthest));
}

std::int64_t TaskTimes::first_possible(std::int64_t from, double a, double limit) const {
  if (speedup_ != nullptr || !std::isfinite(slack_)) return 2;
  const double line = stretch_ * a;
  const double waiting =
      downtime_ * rate_ * std::max(0.0, line * (area_constant_ + 2 * area_slope_) - slack_);
  const double room = limit - line * area_slope_ - waiting;  // what is left for falling / k
  const double falling = move_cost_ * data_ / 2 + saved_ + line * area_constant_ - slack_;
  if (room <= 0 || falling >= room * static_cast<double>(from)) return from;
  constexpr double kBelow = 1 - 1e-9;  // rounding must not skip a count
  const auto pairs = static_cast<std::int64_t>(std::ceil(kBelow * falling / room / 2));
  return std::max<std::int64_t>(2, 2 * pairs);
}

double TaskTimes::periods(std::int64_t j, double a) const {
  if (rate_ == 0) return 0;
  return periods_of(a * area(j), j, a);
}

double TaskTimes::redistribution(std::int64_t j, std::int64_t k) const {
  if (j == k) return 0;
  const double rounds = static_cast<double>(std::max(std::min(j, k), j < k ? k - j : j - k));
  return move_cost_ * rounds * (1 / static_cast<double>(k)) * (data_ / static_cast<double>(j));
}

std::vector<TaskTimes> task_times(const Instance& instance) {
  std::vector<TaskTimes> times;
  times.reserve(instance.tasks.size());
  for (const Task& task : instance.tasks) times.emplace_back(instance, task);
  return times;
}

std::vector<std::vector<Message>> redistribution_rounds(std::int64_t j, std::int64_t k) {
  if (j == k) return {};
  const std::int64_t senders = j < k ? j : j - k;
  const std::int64_t receivers = j < k ? k - j : k;
  const std::int64_t count = std::max(senders, receivers);
  std::vector<std::vector<Message>> rounds(static_cast<std::size_t>(count));
  for (std::int64_t a = 0; a < senders; ++a) {
    for (std::int64_t b = 0; b < receivers; ++b) {
      rounds[static_cast<std::size_t>((a + b) % count)].push_back({a, b});
    }
  }
  return rounds;
}

}  // namespace holdfast::cosched
