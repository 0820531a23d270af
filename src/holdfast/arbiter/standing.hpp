#pragma once

#include "holdfast/arbiter/application.hpp"
#include "holdfast/arbiter/frames.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace holdfast::arbiter {

/// The state of an application, for observers.
struct Standing {
  std::uint64_t handle = 0;
  std::uint32_t uid = 0;
  std::uint32_t nodes = 0;
  std::string name = {};  ///< name of its job
  Stage stage = Stage::idle;
  std::uint64_t rate = 0;   ///< bytes/s
  double bandwidth = 0;     ///< bytes/s that it can use; 0: unknown here
  double share = 0;         ///< share of this bandwidth that it has, in [0, 1]
  std::uint64_t moved = 0;  ///< bytes
  double age = 0;           ///< seconds since its release
  double delay = 0;         ///< seconds of these for which it was stalled
  double yield = 0;
  double waiting = 0;       ///< seconds since it last had bandwidth, if it waits for some
  double longest_wait = 0;  ///< seconds of its longest wait so far, the current one included
  std::size_t connections = 0;
};

/// The state of the arbiter as a whole.
struct Totals {
  double bandwidth = 0;  ///< bytes/s
  double granted = 0;    ///< sum of the rates in force, bytes/s
  std::size_t connections = 0;
  std::size_t pending = 0;  ///< applications with an operation
  std::uint64_t decisions = 0;
  std::uint32_t epoch = 0;
  std::string policy = {};
};

/// Returns the frame for an application. Its share is sent in ten-thousandths, its longest wait in tenths of a second, up to
/// 6553.5 s.
[[nodiscard]] State state_of(const Standing& standing);
/// Returns the application of such a frame. What the frame does not contain is 0.
[[nodiscard]] Standing standing_of(const State& frame);

/// Returns the frame that ends a round. Its handle is 0, and it contains all totals but the epoch.
[[nodiscard]] State state_of(const Totals& totals);
/// Returns the totals of such a frame.
/// @param epoch  from the WELCOME
[[nodiscard]] Totals totals_of(const State& frame, std::uint32_t epoch);

}  // namespace holdfast::arbiter
