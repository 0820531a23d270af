#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/report/page.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace holdfast {

inline constexpr const char* kReportFile = "report.html";

/// Writes a page as a file that appears as a whole; an older one of ours is replaced.
/// @param links  refused where the file's name is kReportFile and not somebody's choice
[[nodiscard]] Status write_page_file(const Page& page, const std::filesystem::path& file,
                                     Links links);

/// Writes the page of a campaign's results.
/// @param known    where the results' own domain is looked for; without it the page says less
/// @param command  that made it, as it would be typed again
[[nodiscard]] Status write_report(const Results& results, const std::filesystem::path& file,
                                  Links links, std::span<const Domain* const> known,
                                  const std::string& command);

}  // namespace holdfast
