#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

/// The failure log of Los Alamos (LA-UR-05-7318, 1996 to 2005): one row per outage of a node, 26
/// columns, times local to the minute without a zone. What is odd about it and what is done:
/// traces/README.md.
/// @param system  keep one system; nothing: all
[[nodiscard]] Result<FailureLog> read_lanl(LineReader lines,
                                           std::optional<std::string> system = {});

/// True for text that begins with the header of such a file.
[[nodiscard]] bool looks_like_lanl(std::string_view head);

}  // namespace holdfast
