#pragma once

#include "holdfast/answers/files/places.hpp"

#include <cstddef>
#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// Returns the help text of a command: a line of description, the usage, arguments, options by group, verbs, and an example
/// that works when it is pasted. Descriptions are wrapped to the terminal, at 60 to 100 columns.
/// @param places          where to find the files of an example that are not in the current folder
/// @param terminal_width  columns of the terminal; 0: no terminal, which counts as 100 columns
[[nodiscard]] std::string help_of(const CLI::App& command, const Places& places,
                                  std::size_t terminal_width);

}  // namespace holdfast::cli
