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
  std::string name = {};  ///< of its job
  Stage stage = Stage::idle;
  std::uint64_t rate = 0;
  double bandwidth = 0;  ///< that it can use; 0: not known here
  double share = 0;      ///< the part of it that it has
  std::uint64_t moved = 0;
  double age = 0;
  double delay = 0;
  double yield = 0;
  double waiting = 0;       ///< seconds since it last had bandwidth, where it waits for some
  double longest_wait = 0;  ///< this wait, or an earlier one
  std::size_t connections = 0;
};

/// Where the arbiter stands as a whole.
struct Totals {
  double bandwidth = 0;
  double granted = 0;  ///< sum of the rates in force
  std::size_t connections = 0;
  std::size_t pending = 0;  ///< applications with an operation
  std::uint64_t decisions = 0;
  std::uint32_t epoch = 0;
  std::string policy = {};
};

/// An application on the wire. Its share goes in ten thousandths, its longest wait in tenths of a second up to 6553.5 s.
[[nodiscard]] State state_of(const Standing& standing);
[[nodiscard]] Standing standing_of(const State& frame);

/// The end of a round on the wire: handle 0, and of the totals all but the epoch.
[[nodiscard]] State state_of(const Totals& totals);
/// @param epoch  from the WELCOME
[[nodiscard]] Totals totals_of(const State& frame, std::uint32_t epoch);

}  // namespace holdfast::arbiter
