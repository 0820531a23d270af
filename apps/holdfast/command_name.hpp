#pragma once

#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// Returns the full name of a command: "holdfast checkpoint simulate".
[[nodiscard]] std::string full_name(const CLI::App& command);

}  // namespace holdfast::cli
