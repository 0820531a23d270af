#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::capacity {

/// Of tasks in a row: those before some place do not start before some time. The time never rises along the row, so a few
/// steps tell it for all.
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

}  // namespace holdfast::capacity
