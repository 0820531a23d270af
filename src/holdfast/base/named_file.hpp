#pragma once

#include "holdfast/base/value.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace holdfast {

/// The pointer to the text in a document that names the file an error is about, so that the place of an error in an absolute
/// path ("/data/log.csv:12") is not taken for a pointer into the document. Empty: no field names that file.
/// @param directory  where relative paths inside the document start
/// @param where      the error's place
[[nodiscard]] std::string field_that_names(const Value& document,
                                           const std::filesystem::path& directory,
                                           std::string_view where);

}  // namespace holdfast
