#pragma once

#include "holdfast/base/error.hpp"

#include <chrono>
#include <filesystem>
#include <string>

namespace holdfast {

/// Shows a page in the user's browser. It is an error, which names the page, if there is no browser or it fails within
/// `patience`; a browser that takes longer runs on its own.
/// @param browsers  the value of the variable BROWSER: names with colons between them, of which the first is used; if empty,
///                  xdg-open is used
[[nodiscard]] Status open_in_browser(const std::filesystem::path& page, const std::string& browsers,
                                     std::chrono::milliseconds patience = std::chrono::milliseconds{
                                         1500});

}  // namespace holdfast
