#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/traces/text/table_kind.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// Failures by their cause, for tables with a column of that name.
namespace holdfast {

/// Returns the same rows of a table of failures, but only those whose cause contains a text, in any case; | separates several texts.
[[nodiscard]] std::string with_cause(std::string_view where, std::string_view cause);

/// Returns the error of reading a log, which says of one without such failures what their cause was to be.
[[nodiscard]] Error without_cause(Error error, std::string_view cause);

/// Reads a log again, and returns the number of its failures whose cause contains that text.
[[nodiscard]] Result<std::int64_t> failures_of_cause(const std::filesystem::path& file, ReadAs as,
                                                     const std::optional<std::string>& system,
                                                     std::string_view cause);

}  // namespace holdfast
