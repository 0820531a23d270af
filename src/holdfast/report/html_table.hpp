#pragma once

#include "holdfast/contract/answer.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace holdfast {

/// Where rows of a table are found, and where they lead.
struct RowLinks {
  std::vector<std::string> ids = {};      ///< ids of the rows; empty: none has one
  std::vector<std::string> targets = {};  ///< ids that the rows lead to; empty: they lead nowhere
  std::size_t column = 0;                 ///< whose cell is the link
};

/// Returns the table as HTML, its cells as in text tables: columns of quantities in one unit, absent values "-". Row headers
/// are the texts before the first column of numbers.
[[nodiscard]] std::string to_html(const Table& table, const RowLinks& links = {});

}  // namespace holdfast
