#pragma once

#include <string_view>

/// The scripts of completion/, inside the program (CMakeLists.txt names them).
namespace holdfast::assets {

[[nodiscard]] std::string_view completion_bash();
[[nodiscard]] std::string_view completion_zsh();
[[nodiscard]] std::string_view completion_fish();

}  // namespace holdfast::assets
