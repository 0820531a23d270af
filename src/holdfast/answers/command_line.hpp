#pragma once

#include <span>
#include <string>

namespace holdfast {

/// Returns "holdfast ARGUMENTS", each quoted for a shell where that is needed.
[[nodiscard]] std::string command_line(std::span<const std::string> arguments);

}  // namespace holdfast
