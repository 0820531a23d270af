#pragma once

#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::capacity {

/// What is known of jobs in a row: those before some place do not start before some time. The time never rises along the row,
/// so that a few steps hold it for all.
class Settled {
 public:
  void clear() { steps_.clear(); }
  /// The task there does not start before; nothing is known of later ones.
  [[nodiscard]] std::optional<std::int64_t> at(std::size_t at) const {
    for (const Step& step : steps_) {
      if (at < step.until) return step.time;
    }
    return {};
  }
  /// None of the tasks before the one returned starts before the time.
  [[nodiscard]] std::size_t until(std::int64_t time) const {
    std::size_t until = 0;
    for (const Step& step : steps_) {
      if (step.time < time) break;
      until = std::max(until, step.until);
    }
    return until;
  }
  /// No task before `until` starts before the time.
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
  std::vector<Step> steps_;  // further, and sooner
};

/// Tasks whose plans were put off, in the order in which they are to be made: what queues and lanes have in common. An entry
/// knows whether it `is_planned`.
template <typename Entry>
class Row {
 public:
  [[nodiscard]] bool empty() const { return first_ == entries_.size(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& operator[](std::size_t at) const { return entries_[at]; }
  /// The first task without a plan.
  [[nodiscard]] std::size_t first() const { return first_; }
  /// No task without a plan starts before; kNever where there is none.
  [[nodiscard]] std::int64_t wake() const { return empty() ? kNever : wake_; }

  /// Adds an entry, given by its fields: copying a whole one would wait for its parts. The job does not start before
  /// `not_before`.
  template <typename... Fields>
  void push(std::int64_t not_before, const Fields&... fields) {
    if (not_before < wake_) {
      if (!entries_.empty()) settled(entries_.size(), wake_);
      wake_ = not_before;
    }
    entries_.emplace_back(fields...);
  }
  /// A plan was made for that task.
  void take(std::size_t at) {
    entries_[at].is_planned = true;
    if (at == first_) take_until(at + 1);
  }
  /// Plans were made for all tasks before `until`.
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

  /// If it has no plan, the task there does not start before.
  [[nodiscard]] std::int64_t settled_at(std::size_t at) const {
    return std::max(wake_, settled_.at(at).value_or(wake_));
  }
  /// None of the tasks without a plan that stand before `at` starts before that time.
  [[nodiscard]] std::int64_t settled_before(std::size_t at) const {
    return first_ >= at ? kNever : settled_at(at - 1);
  }
  /// The first task that might have no plan and start before.
  [[nodiscard]] std::size_t first_unsettled(std::int64_t time) const {
    return wake_ >= time ? entries_.size() : std::max(first_, settled_.until(time));
  }
  /// All tasks before `until` that start before the time have their plans now.
  void settled(std::size_t until, std::int64_t time) {
    if (until == entries_.size()) wake_ = std::max(wake_, time);
    settled_.add(until, time);
  }

 private:
  std::vector<Entry> entries_;
  Settled settled_;
  std::size_t first_ = 0;  // those before it have plans
  std::int64_t wake_ = kNever;
};

}  // namespace holdfast::capacity
