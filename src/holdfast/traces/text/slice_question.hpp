#pragma once

#include "holdfast/base/timestamps.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// The part of a trace to extract. All conditions hold together: the named machines, of these the ones drawn, in the window.
struct SliceQuestion {
  std::optional<Instant> from = {};  ///< start of the window [from, to) on the trace's own clock
  std::optional<Instant> to = {};    ///< end of the window
  std::vector<std::string> machines = {};  ///< names of machines; empty: all machines
  /// The number of machines (or jobs, or lifetimes) to draw without replacement; nothing: keep all.
  std::optional<std::int64_t> sample = {};
  std::uint64_t seed = 1;  ///< seed of the draw
};

}  // namespace holdfast
