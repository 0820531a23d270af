#pragma once

#include "holdfast/base/error.hpp"

#include <chrono>
#include <filesystem>
#include <string>

namespace holdfast {

/// Shows a page in the user's browser. If there is no browser or it fails within `patience`, the result is an error that names
/// the page. A browser that takes longer keeps running.
/// @param browsers  the value of the variable BROWSER: names separated by colons, of which the first is used; if empty,
///      xdg-open is used
[[nodiscard]] Status open_in_browser(const std::filesystem::path& page, const std::string& browsers,
                                     std::chrono::milliseconds patience = std::chrono::milliseconds{
                                         1500});

}  // namespace holdfast
