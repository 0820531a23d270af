#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

/// Reads the failure log of Los Alamos (LA-UR-05-7318, 1996 to 2005): a row of 26 columns per outage of a node, with local
/// times to the minute and no time zone. `traces/README.md` lists its oddities and how they are treated.
/// @param system  keep only this system; nothing: all
/// @returns an error at FILE:LINE: COLUMN for a row that cannot be read
[[nodiscard]] Result<FailureLog> read_lanl(LineReader lines,
                                           std::optional<std::string> system = {});

/// Returns true if the text begins with the header of such a file.
[[nodiscard]] bool looks_like_lanl(std::string_view head);

}  // namespace holdfast
