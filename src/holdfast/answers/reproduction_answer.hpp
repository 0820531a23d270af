#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/report/text_table.hpp"
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

/// Returns true if nothing is out of tolerance and everything was run.
[[nodiscard]] bool is_reproduced(std::span<const reproduction::Reproduced> items, double scale);

/// Returns what stands below the items themselves: a row for each where there are several, the shares of numbers and statements that hold, and
/// the count.
[[nodiscard]] std::string reproduction_closing(std::span<const reproduction::Reproduced> items,
                                               double scale, const TextStyle& style = {});

/// Returns all that people read: every item that was run, and the closing.
[[nodiscard]] std::string reproduction_text(std::span<const reproduction::Reproduced> items,
                                            double scale);

}  // namespace holdfast
