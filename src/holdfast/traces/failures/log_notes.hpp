#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the rows of a failure log cannot say: the period in which failures were recorded, and the nodes that never failed.
namespace holdfast {

/// The comment lines `observed: FROM to TO`, `nodes: N` and `in service: TIME` of a log.
struct LogNotes {
  std::optional<Instant> from;
  std::optional<Instant> to;
  std::optional<Instant> in_service;
  std::int64_t nodes = 0;

  /// Returns what the comments before a table say.
  [[nodiscard]] static Result<LogNotes> of(std::span<const std::string> comments);
  /// Takes a comment, without its #. Comments that are none of these are skipped. Errors have the place "comment lines: ...".
  Status read(std::string_view comment);
  /// Finishes a log whose readers have not used these notes yet. Errors have the place "comment lines: ...", or none.
  [[nodiscard]] Result<FailureLog> finish(FailureLogBuilder& builder, std::string_view format,
                                          double resolution, bool is_dated) const;
};

/// A period as an option gives it: FROM,TO.
struct Period {
  Instant from;
  Instant to;
};

/// Reads "FROM,TO" or "FROM to TO", the earlier time first. Errors have no place.
[[nodiscard]] Result<Period> parse_period(std::string_view text);

/// States in which period the failures of a log were recorded. Failures after it are an error, and so is a log that states its
/// own; those before it tell ages only. Errors have no place.
[[nodiscard]] Status set_observed(FailureLog& log, const Period& period);

/// Returns true if the log may lack nodes that never failed: it states no number of nodes, and all that it names have failed.
[[nodiscard]] bool names_failed_alone(const FailureLog& log);

/// Returns what is assumed because the log does not say it, as warnings: which nodes there are, and when failures were recorded.
[[nodiscard]] std::vector<std::string> doubts_about(const FailureLog& log);

}  // namespace holdfast
