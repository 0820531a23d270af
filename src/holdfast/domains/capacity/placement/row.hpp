#pragma once

#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::capacity {

/// A lower bound on the starts of the jobs in a row, as a few steps: jobs before a place do not start before a time. Along the
/// row this time never rises.
class Settled {
 public:
  void clear() { steps_.clear(); }
  /// Returns a time before which the task at this place does not start; nothing if none is known.
  [[nodiscard]] std::optional<std::int64_t> at(std::size_t at) const {
    for (const Step& step : steps_) {
      if (at < step.until) return step.time;
    }
    return {};
  }
  /// Returns the first place before which some task might start before that time.
  [[nodiscard]] std::size_t until(std::int64_t time) const {
    std::size_t until = 0;
    for (const Step& step : steps_) {
      if (step.time < time) break;
      until = std::max(until, step.until);
    }
    return until;
  }
  /// Records that no task before `until` starts before that time.
  void add(std::size_t until, std::int64_t time) {
    std::erase_if(steps_,
                  [&](const Step& step) { return step.time <= time && step.until <= until; });
    const auto after = std::find_if(steps_.begin(), steps_.end(),
                                    [&](const Step& step) { return step.time < time; });
    const bool is_known =
        std::any_of(steps_.begin(), after, [&](const Step& step) { return step.until >= until; });
    if (!is_known) steps_.insert(after, {until, time});
  }

 private:
  struct Step {
    std::size_t until;
    std::int64_t time;
  };
  std::vector<Step> steps_;  // each step is further along the row and earlier in time
};

/// Deferred tasks in the order in which their plans will be made: the common part of queues and lanes. An entry has a member
/// `is_planned`.
template <typename Entry>
class Row {
 public:
  [[nodiscard]] bool empty() const { return first_ == entries_.size(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& operator[](std::size_t at) const { return entries_[at]; }
  /// Returns the first task without a plan.
  [[nodiscard]] std::size_t first() const { return first_; }
  /// Returns a time before which no task without a plan starts; kNever if all have plans.
  [[nodiscard]] std::int64_t wake() const { return empty() ? kNever : wake_; }

  /// Adds an entry. It is given by its fields, because copying a whole entry is slower.
  /// @param not_before  a time before which the job does not start
  template <typename... Fields>
  void push(std::int64_t not_before, const Fields&... fields) {
    if (not_before < wake_) {
      if (!entries_.empty()) settled(entries_.size(), wake_);
      wake_ = not_before;
    }
    entries_.emplace_back(fields...);
  }
  /// Records that the task at this place has a plan.
  void take(std::size_t at) {
    entries_[at].is_planned = true;
    if (at == first_) take_until(at + 1);
  }
  /// Records that all tasks before `until` have plans.
  void take_until(std::size_t until) {
    first_ = std::max(first_, until);
    while (first_ < entries_.size() && entries_[first_].is_planned) ++first_;
  }
  void clear() {
    entries_.clear();
    settled_.clear();
    first_ = 0;
    wake_ = kNever;
  }

  /// Returns a time before which the task at this place does not start, if it has no plan.
  [[nodiscard]] std::int64_t settled_at(std::size_t at) const {
    return std::max(wake_, settled_.at(at).value_or(wake_));
  }
  /// Returns a time before which none of the tasks before `at` without a plan starts; kNever if all have plans.
  [[nodiscard]] std::int64_t settled_before(std::size_t at) const {
    return first_ >= at ? kNever : settled_at(at - 1);
  }
  /// Returns the first task that might have no plan and start before that time.
  [[nodiscard]] std::size_t first_unsettled(std::int64_t time) const {
    return wake_ >= time ? entries_.size() : std::max(first_, settled_.until(time));
  }
  /// Records that all tasks before `until` that start before that time have plans.
  void settled(std::size_t until, std::int64_t time) {
    if (until == entries_.size()) wake_ = std::max(wake_, time);
    settled_.add(until, time);
  }

 private:
  std::vector<Entry> entries_;
  Settled settled_;
  std::size_t first_ = 0;  // all tasks before it have plans
  std::int64_t wake_ = kNever;
};

}  // namespace holdfast::capacity
