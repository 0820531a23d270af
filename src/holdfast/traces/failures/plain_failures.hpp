#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Holdfast's own failure log, for logs written by hand or by a script: a table with columns node, down and up (optional:
/// system, in_service, observed_from, out_of_service), or others that their names or a person point out. Times are seconds or dates. Comment lines state what rows cannot, such as the observed period and
/// the number of nodes. `traces/README.md` defines the format.
namespace holdfast {

/// Reads such a log.
/// @param system  keep only this system; nothing: all
/// @returns an error at FILE:LINE: COLUMN for a row that cannot be read
[[nodiscard]] Result<FailureLog> read_plain_failures(TraceText text,
                                                     std::optional<std::string> system = {});

/// Writes the log as such a file. Reading that file gives the same records; oddities that were repaired are gone.
/// @param notes  comment lines to put first, without their #
[[nodiscard]] std::string write_plain_failures(const FailureLog& log,
                                               std::span<const std::string> notes = {});
/// Writes the log in parts to `sink`.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_plain_failures(const FailureLog& log, const TextSink& sink);

}  // namespace holdfast
