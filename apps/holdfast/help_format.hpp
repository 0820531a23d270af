#pragma once

#include "holdfast/answers/places.hpp"

#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// What `--help` says of a command: a line of description, the usage, arguments, options by group, verbs, an example
/// that works when pasted. Descriptions are wrapped to 100 columns.
/// @param places  where an example's files are found that are not here
[[nodiscard]] std::string help_of(const CLI::App& command, const Places& places);

}  // namespace holdfast::cli
