#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/reproduction/summary.hpp"

#include <span>

namespace holdfast {

/// Returns one item as tables and lines, number by number with a verdict.
[[nodiscard]] Answer reproduction_answer(const reproduction::Reproduced& one, double scale);

/// Returns the answer about all items, without the tables of each: all of them as a document, a row for each if there are
/// several, the shares of numbers and statements that hold, and the counts. It is "no" unless every item was run and nothing is
/// out of tolerance.
[[nodiscard]] Answer reproduction_closing(std::span<const reproduction::Reproduced> items,
                                          double scale);

}  // namespace holdfast
