#pragma once

#include "holdfast/answers/answer_text.hpp"
#include "holdfast/contract/domain.hpp"

#include <string>
#include <vector>

namespace holdfast {

/// Returns all strategies of a domain: name, one line, parameters and source of each.
[[nodiscard]] Answer strategy_list(const Domain& domain);

/// Returns one strategy as several lines, for terminals on which the table does not fit: its name, then the rest.
[[nodiscard]] std::vector<std::string> strategy_lines(const Domain& domain,
                                                      const StrategyEntry& entry);

}  // namespace holdfast
