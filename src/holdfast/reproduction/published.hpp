#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/reproduction/item.hpp"

#include <filesystem>
#include <vector>

namespace holdfast::reproduction {

/// Reads published.csv.
/// @param shared  columns with the same value in every row unless the row says otherwise: name -> text or number
[[nodiscard]] Result<std::vector<Row>> read_published(const std::filesystem::path& file,
                                                      const Value& shared);

}  // namespace holdfast::reproduction
