#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/report/page.hpp"

#include <string>

namespace holdfast {

/// Returns a page with the results of a campaign, finished or still running: the answer, the charts chosen by [report], all
/// numbers, and what was run. It reads the cells once and keeps only their statistics.
/// @param domain   gives the units of parameters; null if the domain is no longer known
/// @param command  the command that makes the page, shown if the results do not name one
[[nodiscard]] Result<Page> campaign_page(const Results& results, const Domain* domain,
                                         const std::string& command);

}  // namespace holdfast
