#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// What a machine that belongs to somebody else may be doing: working for us, paused by its owner
/// (nothing is lost), or gone (everything on it is lost).
enum class WorkerState : std::uint8_t { up = 0, reclaimed = 1, down = 2 };
inline constexpr std::array<std::string_view, 3> kWorkerStates = {"up", "reclaimed", "down"};

/// One worker in one state from `start` to `end`, seconds.
struct StateStretch {
  double start = 0;
  double end = 0;
  WorkerState state = WorkerState::up;

  friend bool operator==(const StateStretch&, const StateStretch&) = default;
};

/// What was recorded of one worker. Readers of availability files make these records, fits of
/// availability models take them; the two layers know nothing else of each other.
struct WorkerHistory {
  std::string name;
  std::vector<StateStretch> stretches;  ///< in order of time, without overlap; gaps: not observed
};

}  // namespace holdfast
