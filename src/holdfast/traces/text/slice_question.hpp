#pragma once

#include "holdfast/traces/text/timestamps.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// Which part of a trace is wanted. What is given holds together: the machines named, of these those drawn, in the window.
struct SliceQuestion {
  std::optional<Instant> from = {};  ///< the window [from, to) on the trace's own clock
  std::optional<Instant> to = {};
  std::vector<std::string> machines = {};  ///< by name; none: all
  /// So many machines (or jobs, or lifetimes), drawn without replacement.
  std::optional<std::int64_t> sample = {};
  std::uint64_t seed = 1;  ///< of the draw
};

}  // namespace holdfast
