#pragma once

#include "cli/session.hpp"
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::cli {

/// Reads a page as a session. A command is a line "$ holdfast ARGS" or "$ ./run ARGS" in a fenced block, continued by lines after a
/// backslash; the lines after it, up to the next command or the end of the block, are what it prints.
[[nodiscard]] Session read_page(std::string_view text);

/// The page again, with what its commands say now.
[[nodiscard]] std::string write_page(const Session& page);

/// True if the lines agree; in what a page shows, a line "..." stands for any lines.
[[nodiscard]] bool shows(std::string_view shown, std::string_view printed);

/// The lines printed, without those that the page left out: each "..." stands between the lines that resemble most those that
/// stood around it.
[[nodiscard]] std::string elided(std::string_view shown, std::string_view printed);

}  // namespace holdfast::cli
