#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

namespace holdfast {

/// Returns a time of the log's clock in the format of its file.
[[nodiscard]] Value time_value(const FailureLog& log, double seconds);

/// Adds the availability and the node-hours lost to outages, of the whole log and of each of its months (years, if they are many).
/// Time in which a node is not in service does not count. Nothing is added for a log without the lengths of outages.
void describe_losses(const FailureLog& log, Answer& answer);

}  // namespace holdfast
