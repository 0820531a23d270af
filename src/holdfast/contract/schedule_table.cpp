#include "holdfast/contract/schedule_table.hpp"

#include <fmt/format.h>

namespace holdfast::detail {

tl::unexpected<Error> wrong_columns(std::size_t found, std::size_t expected) {
  return fail(ErrorCode::bad_value, "schedule",
              fmt::format("found {} columns, expected {}", found, expected));
}

tl::unexpected<Error> wrong_cell(std::size_t row, std::string_view column) {
  return fail(ErrorCode::bad_value, fmt::format("row {} of the schedule", row + 1),
              fmt::format("the cell of column \"{}\" is of another type", column));
}

}  // namespace holdfast::detail
