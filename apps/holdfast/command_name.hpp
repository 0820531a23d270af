#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// "holdfast checkpoint simulate".
[[nodiscard]] std::string full_name(const CLI::App& command);

/// "holdfast ARGUMENTS", each quoted for a shell where that is needed.
[[nodiscard]] std::string command_line(std::span<const std::string> arguments);

}  // namespace holdfast::cli
