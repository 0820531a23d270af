#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/report/page.hpp"

#include <filesystem>
#include <string>

namespace holdfast::field {

/// Returns the page of a guarded job, which may still run: its course as a picture, where the time went, each failure, what was
/// learned of the costs, and what other rules would have made of the same failures.
/// @param directory  the guard's directory
/// @param command    the command that makes the page
/// @param watches    true: while the job runs, the page says when it was seen (Page::live) and so reloads itself
[[nodiscard]] Result<Page> guard_page(const std::filesystem::path& directory,
                                      const std::string& command, bool watches = false);

}  // namespace holdfast::field
