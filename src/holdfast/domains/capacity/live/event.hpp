#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::capacity {

/// Something that happened in a running system. Which members count depends on `what`.
struct LiveEvent {
  enum class What : std::uint8_t {
    submitted,     ///< a job entered the queue
    started,       ///< it began on a machine
    ended,         ///< it ended, or left the queue
    killed,        ///< its run was ended, and it waits again
    resized,       ///< its cores or its length are others than promised
    machine_up,    ///< machines are in service again
    machine_down,  ///< machines went out of service, with the runs on them
    capacity,      ///< the number of machines that are on, safest first
    notice,        ///< announced numbers of machines
    tick,          ///< nothing: time went on
  };
  What what = What::tick;
  std::int64_t at = 0;  ///< seconds
  std::string job = {};
  std::vector<std::string> machines = {};
  std::optional<std::int64_t> cores = {};
  std::optional<std::int64_t> length = {};
  std::optional<double> category = {};
  std::optional<std::int64_t> release = {};
  /// `started`: when, if earlier than `at`; `killed`: before which date it does not start again. Seconds.
  std::optional<std::int64_t> since = {};
  std::int64_t count = 1;  ///< `capacity`: machines; `submitted`: machines that it takes at once
  std::vector<Step> announced = {};  ///< `notice`
};
inline constexpr auto kHappenings =
    std::to_array<std::string_view>({"submitted", "started", "ended", "killed", "resized",
                                     "node-up", "node-down", "capacity", "notice", "tick"});

/// Reads an event: {"at": 7200, "what": "ended", "job": "17"}. Errors carry a JSON pointer.
[[nodiscard]] Result<LiveEvent> read_live_event(const Value& value, const std::string& where);

/// Reads one event, a list of them, or one on each line of a text.
[[nodiscard]] Result<std::vector<LiveEvent>> read_live_events(std::string_view text);

}  // namespace holdfast::capacity
