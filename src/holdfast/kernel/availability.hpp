#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The states of a machine that belongs to somebody else: it works for us (up), its owner uses it and our work is paused
/// (reclaimed: nothing is lost), or it is gone (down: everything on it is lost).
enum class WorkerState : std::uint8_t { up = 0, reclaimed = 1, down = 2 };
/// The names of the states in documents and messages, in the same order.
inline constexpr std::array<std::string_view, 3> kWorkerStates = {"up", "reclaimed", "down"};

/// An interval from `start` to `end` (seconds) during which one worker is in one state.
struct StateInterval {
  double start = 0;                     ///< start of the interval, seconds
  double end = 0;                       ///< end of the interval, seconds
  WorkerState state = WorkerState::up;  ///< the state during the whole interval

  friend bool operator==(const StateInterval&, const StateInterval&) = default;
};

/// The recorded states of one worker. Readers of availability files make these records, and fits of availability models take
/// them. The two layers share nothing else.
struct WorkerHistory {
  std::string name;  ///< the name of the worker
  /// The intervals in order of time, without overlap. The worker was not observed in the gaps between them.
  std::vector<StateInterval> intervals;
};

}  // namespace holdfast
