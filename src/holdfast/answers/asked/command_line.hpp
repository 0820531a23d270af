#pragma once

#include <span>
#include <string>

namespace holdfast {

/// Returns "holdfast ARGUMENTS", with each argument quoted for a shell if necessary.
[[nodiscard]] std::string command_line(std::span<const std::string> arguments);

}  // namespace holdfast
