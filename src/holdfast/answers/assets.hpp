#pragma once

#include <string_view>

/// Files that answers are made of (CMakeLists.txt names them).
namespace holdfast::assets {

/// Returns what this program was built from and with, as JSON (cmake/Facts.cmake).
[[nodiscard]] std::string_view build_facts();
/// docs/bibliography.toml.
[[nodiscard]] std::string_view bibliography();
/// Returns the scripts of completion/.
[[nodiscard]] std::string_view completion_bash();
[[nodiscard]] std::string_view completion_zsh();
[[nodiscard]] std::string_view completion_fish();

}  // namespace holdfast::assets
