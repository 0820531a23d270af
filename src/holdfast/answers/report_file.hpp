#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/report/page.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace holdfast {

inline constexpr const char* kReportFile = "report.html";

/// Writes a page as a file that appears as a whole; an older one of ours is replaced.
[[nodiscard]] Status write_page_file(const Page& page, const std::filesystem::path& file);

/// Writes the page of a campaign's results.
/// @param known    where the results' own domain is looked for; without it the page says less
/// @param command  that made it, as it would be typed again
[[nodiscard]] Status write_report(const Results& results, const std::filesystem::path& file,
                                  std::span<const Domain* const> known, const std::string& command);

}  // namespace holdfast
