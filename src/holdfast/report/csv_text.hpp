#pragma once

#include <string>
#include <string_view>

namespace holdfast {

/// A cell of comma-separated values, quoted where RFC 4180 asks for it.
[[nodiscard]] std::string csv_text(std::string_view text);

}  // namespace holdfast
