#pragma once

#include "holdfast/contract/answer.hpp"

#include <string>
#include <vector>

namespace holdfast {

/// A column of a table as people read it.
struct TableColumn {
  std::string title;  ///< title, with the unit if all cells share one: "mean (h)"
  std::vector<std::string> cells;
  bool is_number = false;  ///< true: aligned to the right
};

/// Returns all columns. Columns of one unit are formatted together, columns of plain numbers separately.
[[nodiscard]] std::vector<TableColumn> table_columns(const Table& table);

}  // namespace holdfast
