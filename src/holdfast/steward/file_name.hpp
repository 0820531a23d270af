#pragma once

#include "holdfast/base/error.hpp"

#include <string>
#include <string_view>

namespace holdfast::steward {

/// Refuses an identifier that cannot be a part of the name of a file.
/// @param where    the place of the identifier
/// @param because  why it must be one: "it names files"
[[nodiscard]] Status check_file_name(std::string_view name, std::string where,
                                     std::string_view because);

}  // namespace holdfast::steward
