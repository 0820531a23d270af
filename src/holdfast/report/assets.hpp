#pragma once

#include <string_view>

/// Files that are built into the program (CMakeLists.txt names them).
namespace holdfast::assets {

[[nodiscard]] std::string_view page_css();
[[nodiscard]] std::string_view page_js();
/// Returns the bundled chart library; empty if the program was built without npm.
[[nodiscard]] std::string_view charts_js();

}  // namespace holdfast::assets
