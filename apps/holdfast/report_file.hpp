#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/report/page.hpp"
#include "holdfast/verbs.hpp"

#include <filesystem>

namespace holdfast::cli {

inline constexpr const char* kReportFile = "report.html";

/// Writes a page as a file that appears as a whole; an older one of ours is replaced.
[[nodiscard]] Status write_page_file(const Page& page, const std::filesystem::path& file);

/// Writes the page of a campaign's results and says where.
[[nodiscard]] Status write_report(const Results& results, const std::filesystem::path& file,
                                  Domains domains, Console& console);

}  // namespace holdfast::cli
