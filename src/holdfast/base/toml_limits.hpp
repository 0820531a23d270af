#pragma once

#include "holdfast/base/error.hpp"

#include <string_view>

namespace holdfast {

/// Refuses a TOML document that nests deeper than 200 levels or holds more than some two million values, before the
/// library reads it. The library bounds neither: it builds a table for each part of a key (`a.a.a = 1`, `[a.a.a]`) and
/// destroys them by recursion. What is no TOML passes; the library stops where this may have lost its way.
[[nodiscard]] Status check_toml_limits(std::string_view text);

}  // namespace holdfast
