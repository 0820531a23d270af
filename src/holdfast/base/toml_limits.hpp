#pragma once

#include "holdfast/base/error.hpp"

#include <string_view>

namespace holdfast {

/// Refuses a TOML document that nests deeper than 200 levels or holds more than some two million values, before the
/// library reads it. The library bounds neither: it builds a table for each part of a key (`a.a.a = 1`, `[a.a.a]`) and
/// destroys them by recursion. A text that is no TOML may pass; the library then refuses it.
[[nodiscard]] Status check_toml_limits(std::string_view text);

}  // namespace holdfast
