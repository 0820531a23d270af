#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/report/text_table.hpp"
#include "holdfast/reproduction/summary.hpp"

#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// Returns one item as tables and lines, number by number with a verdict.
[[nodiscard]] Answer reproduction_answer(const reproduction::Reproduced& one, double scale);

/// Returns all reproduced items as a document.
[[nodiscard]] Value reproduction_document(std::span<const reproduction::Reproduced> items,
                                          double scale);

/// Returns true if every item was run and nothing is out of tolerance.
[[nodiscard]] bool is_reproduced(std::span<const reproduction::Reproduced> items, double scale);

/// Returns the text below the items: a row for each if there are several, the shares of numbers and statements that hold, and
/// the counts.
[[nodiscard]] std::string reproduction_closing(std::span<const reproduction::Reproduced> items,
                                               double scale, const TextStyle& style = {});

/// Returns the whole text for people: every item that was run, and the text below them.
[[nodiscard]] std::string reproduction_text(std::span<const reproduction::Reproduced> items,
                                            double scale);

}  // namespace holdfast
