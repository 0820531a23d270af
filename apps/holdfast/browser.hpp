#pragma once

#include "holdfast/base/error.hpp"

#include <chrono>
#include <filesystem>

namespace holdfast::cli {

/// Shows a page in the browser of the user: what the variable BROWSER names, else xdg-open. A browser that fails within
/// `patience`, or is not there, is an error which names the page; one that takes longer goes on by itself.
[[nodiscard]] Status open_in_browser(const std::filesystem::path& page,
                                     std::chrono::milliseconds patience = std::chrono::milliseconds{
                                         1500});

}  // namespace holdfast::cli
