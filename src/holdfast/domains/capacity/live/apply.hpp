#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/capacity/live/event.hpp"
#include "holdfast/domains/capacity/live/registry.hpp"
#include "holdfast/domains/capacity/live/world.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace holdfast::capacity {

/// What changed at one instant, as far as a policy is told.
struct Changes {
  std::vector<LiveJob> ended;    ///< runs that ended, with their machines
  std::set<std::string> killed;  ///< jobs that wait again, or whose delay is over
  /// Jobs that arrived, or are to be decided again, and which of both in words.
  std::map<std::string, std::string> fresh;
  std::set<std::size_t> went_up;     ///< machines
  bool has_lost_machines = false;    ///< some went down
  bool is_shuffled = false;          ///< one came that is safer than one in use
  std::vector<std::string> ignored;  ///< ids that are not known
  std::string cause;                 ///< in words: what happened

  std::set<std::string> touched;  ///< jobs that came, or are not as they were
  std::vector<std::size_t> left;  ///< tasks of jobs that are not in the world any more
  bool has_other_machines = false;
  bool touches_several = false;  ///< a job of several machines began, ended or waits again
  /// Returns true if all waiting jobs are placed again, as after a change of the capacity.
  [[nodiscard]] bool places_all() const {
    return has_lost_machines || is_shuffled || !killed.empty();
  }
};

/// Refuses events that contradict themselves or run back in time. The error is placed at /NUMBER/field.
[[nodiscard]] Status check_events(const World& world, std::span<const LiveEvent> events);

/// Applies the events of one instant, which were checked, to a world, and says what changed.
[[nodiscard]] Changes apply(World& world, std::span<const LiveEvent> events);

}  // namespace holdfast::capacity
