#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/report/page.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// The file name of a page if nobody chose one.
inline constexpr const char* kReportFile = "report.html";

/// Writes a page as a file that appears complete. An older page of Holdfast is replaced.
/// @param links  `refused` if nobody chose the file's name and it is kReportFile
[[nodiscard]] Status write_page_file(const Page& page, const std::filesystem::path& file,
                                     Links links);

/// Writes every chart of a page as DIRECTORY/ID.svg, on a white background. Older files are replaced. The directory is created
/// if necessary.
/// @return the files, in the order of the page
[[nodiscard]] Result<std::vector<std::filesystem::path>> write_charts(
    const Page& page, const std::filesystem::path& directory);

/// Returns the page of a campaign's results.
/// @param known    the domains to search for that of the results; without it the page contains less
/// @param command  the command that made it, as it would be typed
[[nodiscard]] Result<Page> report_page(const Results& results, std::span<const Domain* const> known,
                                       const std::string& command);

/// Writes that page to a file.
[[nodiscard]] Status write_report(const Results& results, const std::filesystem::path& file,
                                  Links links, std::span<const Domain* const> known,
                                  const std::string& command);

}  // namespace holdfast
