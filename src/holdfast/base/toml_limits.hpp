#pragma once

#include "holdfast/base/error.hpp"

#include <string_view>

namespace holdfast {

/// Refuses a TOML document that nests deeper than 200 levels or holds more than about two million values, before the TOML
/// library reads it. The library has no such limits: it builds a table for each part of a key (`a.a.a = 1`, `[a.a.a]`) and
/// destroys them by recursion. A text that is not TOML may pass; the library then refuses it.
[[nodiscard]] Status check_toml_limits(std::string_view text);

}  // namespace holdfast
