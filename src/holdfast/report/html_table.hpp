#pragma once

#include "holdfast/contract/answer.hpp"

#include <string>

namespace holdfast {

/// The table as HTML, its cells as in text tables: columns of quantities in one unit, absent values "-". Row headers
/// are the texts before the first column of numbers.
[[nodiscard]] std::string to_html(const Table& table);

}  // namespace holdfast
