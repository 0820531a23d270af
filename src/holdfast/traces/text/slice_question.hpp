#pragma once

#include "holdfast/traces/text/timestamps.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// The part of a trace that is wanted. All conditions hold together: the machines named, of these the ones drawn, in the
/// window.
struct SliceQuestion {
  std::optional<Instant> from = {};  ///< start of the window [from, to) on the trace's own clock
  std::optional<Instant> to = {};    ///< end of the window
  std::vector<std::string> machines = {};  ///< by name; empty: all
  /// The number of machines (or jobs, or lifetimes) that are drawn without replacement; nothing: all are kept.
  std::optional<std::int64_t> sample = {};
  std::uint64_t seed = 1;  ///< the seed of the draw
};

}  // namespace holdfast
