#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/replay.hpp"

#include <string>
#include <vector>

namespace holdfast::field {

/// Returns the history of a guarded job, as a document and as lines for people.
/// @param replay  results of other strategies for the same failures
[[nodiscard]] Value report_document(const History& history, const Replay& replay);
[[nodiscard]] std::vector<std::string> report_lines(const History& history, const Replay& replay);

/// Returns the progress of a job, the time of its next checkpoint, and what its guard has learned.
/// @param is_guarded  true: a guard is running
/// @param time        the current time, seconds since 1970
[[nodiscard]] std::vector<std::string> status_lines(const History& history, bool is_guarded,
                                                    double time);

}  // namespace holdfast::field
