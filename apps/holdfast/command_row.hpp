#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"
#include "holdfast/verbs.hpp"

namespace holdfast::cli {

/// The number of a row that names a command: runs it as a user would, in memory, and takes the value at the row's
/// pointer. A path in it that starts with `@/` lies in the item's folder.
[[nodiscard]] Result<reproduction::Measured> run_command_row(const reproduction::Item& item,
                                                             const reproduction::Row& row,
                                                             Domains domains);

}  // namespace holdfast::cli
