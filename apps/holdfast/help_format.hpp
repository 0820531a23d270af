#pragma once

#include "holdfast/answers/places.hpp"

#include <cstddef>
#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// What `--help` says of a command: a line of description, the usage, arguments, options by group, verbs, an example
/// that works when pasted. Descriptions are wrapped to the terminal, at 60 to 100 columns.
/// @param places  where an example's files are found that are not here
/// @param terminal_width  columns of the terminal; 0: no terminal, which is taken as 100 columns
[[nodiscard]] std::string help_of(const CLI::App& command, const Places& places,
                                  std::size_t terminal_width);

}  // namespace holdfast::cli
