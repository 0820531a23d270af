#pragma once

#include <string>
#include <string_view>

namespace holdfast {

/// Returns a text escaped for XML, between tags or in an attribute: & < > " become entities.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace holdfast
