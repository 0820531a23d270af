#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::capacity {

/// A lower bound on the starts of the jobs on a lane that have no plan, as a few steps. Each step says that no such job before
/// some place of the lane starts before some time. From one step to the next the place rises and the time falls.
class Settled {
 public:
  void clear() { steps_.clear(); }
  /// Returns a time before which the task at this place does not start, unless it has a plan; nothing if none is known.
  [[nodiscard]] std::optional<std::int64_t> at(std::size_t at) const {
    for (const Step& step : steps_) {
      if (at < step.until) return step.time;
    }
    return {};
  }
  /// Returns the number of tasks at the front of the lane that are known not to start before the time, unless they have plans.
  [[nodiscard]] std::size_t until(std::int64_t time) const {
    std::size_t until = 0;
    for (const Step& step : steps_) {
      if (step.time < time) break;
      until = step.until;
    }
    return until;
  }
  /// Records that no task before `until` starts before the time, unless it has a plan.
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
  std::vector<Step> steps_;  // places ascending, times descending
};

}  // namespace holdfast::capacity
