#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/reproduction/summary.hpp"

#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// Returns one item, number by number with a verdict, as tables and lines.
[[nodiscard]] Answer reproduction_answer(const reproduction::Reproduced& one, double scale);

/// Returns everything that was reproduced, for programs.
[[nodiscard]] Value reproduction_document(std::span<const reproduction::Reproduced> items,
                                          double scale);

/// Below a table of several items: the shares of numbers and statements that hold.
[[nodiscard]] std::vector<std::string> reproduction_shares(
    std::span<const reproduction::Reproduced> items, double scale);

}  // namespace holdfast
