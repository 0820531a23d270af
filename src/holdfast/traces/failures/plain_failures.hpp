#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <optional>
#include <string>
#include <string_view>

/// The project's own failure log, for those who write one by hand or by a script: a CSV file with
/// columns node, down and up (optional: system, in_service), times in seconds or ISO dates, and
/// comment lines that state what rows cannot (the period observed, the number of nodes).
/// traces/README.md defines it.
namespace holdfast {

/// @param system  keep one system; nothing: all
[[nodiscard]] Result<FailureLog> read_plain_failures(LineReader lines,
                                                     std::optional<std::string> system = {});

/// True for text whose header has columns node, down and up.
[[nodiscard]] bool looks_like_plain_failures(std::string_view head);

/// The log as such a file. Reading it again gives the same records; oddities that were repaired are
/// gone.
/// @param notes  comment lines to put first, without their #
[[nodiscard]] std::string write_plain_failures(const FailureLog& log,
                                               std::span<const std::string> notes = {});
/// The same, for the table of formats. @returns what the format has no place for
[[nodiscard]] Result<Oddities> write_plain_failures(const FailureLog& log, const TextSink& sink);

}  // namespace holdfast
