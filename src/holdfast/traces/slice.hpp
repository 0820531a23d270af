#pragma once

#include "holdfast/traces/records.hpp"
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

/// A part of a trace, as a trace of the same kind.
///
/// Window: jobs submitted in it; failures in it, the log being observed from its start to its end (an outage that goes on
/// at its end has no end); availability and capacity cut at both ends.
/// Machines: nodes of a failure log, workers, rows of a table of machines.
/// Sample: of those, else of the jobs or lifetimes; the order of the file is kept. Nodes that a failure log only counts
/// are drawn like those that it names.
///
/// What a kind does not have (a workflow has no parts, a job no machine, a lifetime no date) is an error, as are a window
/// without records and a machine that is not there. Errors are placed at "from", "to", "machines" or "sample".
[[nodiscard]] Result<TraceRecords> sliced(TraceRecords records, const SliceQuestion& question);

}  // namespace holdfast
