#pragma once

#include "holdfast/base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Splits one line at commas, or at another delimiter, into `fields`. A field may be in double quotes ("a ""b"", c"); its text is then kept in `storage`.
/// The views are valid as long as the line and the storage. Errors have no place.
[[nodiscard]] Status split_csv(std::string_view line, std::vector<std::string_view>& fields,
                               std::string& storage, char delimiter = ',');

/// Returns true if the first line that is not blank, or the comment (#) before it, is a header with all these columns, which are
/// separated by commas. Cells of the header are separated by commas, tabs, | or, without these, by blanks.
[[nodiscard]] bool header_has(std::string_view head, std::string_view columns);

/// Returns a text as a field of a CSV row (csv_cell). It is also quoted if our readers would otherwise treat it as a comment or
/// trim it.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace holdfast
