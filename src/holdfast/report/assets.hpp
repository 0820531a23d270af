#pragma once

#include <string_view>

/// Files that the program carries inside (CMakeLists.txt names them).
namespace holdfast::assets {

[[nodiscard]] std::string_view page_css();
[[nodiscard]] std::string_view page_js();
/// The bundled chart library; empty where the program was built without npm.
[[nodiscard]] std::string_view charts_js();

}  // namespace holdfast::assets
