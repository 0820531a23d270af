#pragma once

#include "holdfast/base/error.hpp"

#include <chrono>
#include <filesystem>
#include <string>

namespace holdfast {

/// Shows a page in the browser of the user. A browser that fails within `patience`, or is not there, is an error which names
/// the page; one that takes longer goes on by itself.
/// @param browsers  what the variable BROWSER says: names with colons between them, of which the first is taken; xdg-open
///                  where it says nothing
[[nodiscard]] Status open_in_browser(const std::filesystem::path& page, const std::string& browsers,
                                     std::chrono::milliseconds patience = std::chrono::milliseconds{
                                         1500});

}  // namespace holdfast
