#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/capacity/live/event.hpp"
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
};

/// Applies the events of one instant to a world, and says what changed. The first error is placed at /NUMBER/field.
/// @param first  number of the first event, for errors
[[nodiscard]] Result<Changes> apply(World& world, std::span<const LiveEvent> events,
                                    std::size_t first);

}  // namespace holdfast::capacity
