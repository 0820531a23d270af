#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/traces/text/table_kind.hpp"

#include <span>
#include <string>
#include <string_view>

/// How a file that a document names is read: its kind or format, and what a person says about a table.
namespace holdfast {

/// Reads `format`, `columns`, `column_unit`, `where`, `dates` and `header` of the object that names the file.
[[nodiscard]] ReadAs read_read_as(ObjectReader& read);

/// Returns true if an error of reading a file is placed at one of these fields.
[[nodiscard]] bool is_about_reading(std::string_view where);

/// Returns the options for these fields of an object: --read-as, --columns ..., with a prefix in front of each name.
/// @param prefix   "jobs_", or empty
/// @param pointer  of the object: "/jobs"
[[nodiscard]] std::span<const Parameter> table_options(std::string_view prefix,
                                                       std::string_view pointer);

}  // namespace holdfast
