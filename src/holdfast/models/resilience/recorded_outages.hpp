#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/models/failures/failure_trace.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// The outages of the nodes of a machine in a window of a log, as they were. Dates count from the window's start, in seconds.
struct RecordedOutages {
  std::int64_t nodes = 0;  ///< all nodes, with those that never failed
  double length = 0;       ///< of the window, seconds
  /// By date; `processor` is the number of the node. An outage that began earlier has date 0; none goes on after the window.
  std::vector<FailureEvent> outages;
};

/// Reads {"nodes", "length", "outages": [[date, node, repair], ...]}, and writes it.
[[nodiscard]] Result<RecordedOutages> read_recorded_outages(const Value& value,
                                                            const std::string& where);
[[nodiscard]] Value to_value(const RecordedOutages& recorded);

/// Returns the seconds with k nodes down in a part of the window, for each k up to the largest.
[[nodiscard]] std::vector<double> time_with_down(const RecordedOutages& recorded, double from,
                                                 double to);
/// Returns the smallest number of nodes that at most are down in that share of the time.
/// @param seconds  as from time_with_down(), not empty
[[nodiscard]] std::int64_t down_quantile(std::span<const double> seconds, double share);

}  // namespace holdfast
