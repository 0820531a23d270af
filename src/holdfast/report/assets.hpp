#pragma once

#include <string_view>

/// Files that are built into the program (CMakeLists.txt names them).
namespace holdfast::assets {

[[nodiscard]] std::string_view page_css();
[[nodiscard]] std::string_view page_js();

}  // namespace holdfast::assets
