#pragma once

#include "holdfast/contract/answer.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace holdfast {

/// The ids of a table's rows, and the links that start from them.
struct RowLinks {
  std::vector<std::string> ids = {};      ///< ids of the rows; empty: they have none
  std::vector<std::string> targets = {};  ///< ids to which the rows link; empty: no links
  std::size_t column = 0;                 ///< column of the cell that is the link
};

/// Returns the table as HTML with the same cells as in text tables: each column of quantities in one unit, absent values as
/// "-". The texts before the first column of numbers are row headers.
[[nodiscard]] std::string to_html(const Table& table, const RowLinks& links = {});

}  // namespace holdfast
