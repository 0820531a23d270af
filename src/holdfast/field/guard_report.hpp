#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/replay.hpp"

#include <string>
#include <vector>

namespace holdfast::field {

/// Returns what became of a guarded job: a document, and lines for people.
/// @param replay  what strategies would have made of the same failures
[[nodiscard]] Value report_document(const History& history, const Replay& replay);
[[nodiscard]] std::vector<std::string> report_lines(const History& history, const Replay& replay);

/// Returns how far a job is, when its next checkpoint is due, and what its guard has learned.
/// @param is_guarded  a guard runs now
/// @param time        now, seconds since 1970
[[nodiscard]] std::vector<std::string> status_lines(const History& history, bool is_guarded,
                                                    double time);

}  // namespace holdfast::field
