#pragma once

#include "holdfast/contract/answer.hpp"

#include <string>
#include <vector>

namespace holdfast {

/// A column of a table as people read it.
struct TableColumn {
  std::string title;  ///< with the unit where one serves all cells: "mean (h)"
  std::vector<std::string> cells;
  bool is_number = false;  ///< to be set to the right
};

/// Returns all columns: those of one unit are formatted together, plain numbers each by itself.
[[nodiscard]] std::vector<TableColumn> table_columns(const Table& table);

}  // namespace holdfast
