#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/report/page.hpp"

#include <string>

namespace holdfast {

/// Returns a campaign's results as a page, finished or still running: the answer, charts chosen by [report], all numbers, and
/// what was run. One pass over the cells; the page holds statistics of them.
/// @param domain   for the units of parameters; null if it is not known any more
/// @param command  that makes the page, shown where the results name none
[[nodiscard]] Result<Page> campaign_page(const Results& results, const Domain* domain,
                                         const std::string& command);

}  // namespace holdfast
