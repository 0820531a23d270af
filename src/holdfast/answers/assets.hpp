#pragma once

#include <string_view>

/// Files that are built into the program (CMakeLists.txt names them).
namespace holdfast::assets {

/// Returns how this program was built, and from what, as JSON (cmake/Facts.cmake).
[[nodiscard]] std::string_view build_facts();
/// Returns the commit that was built, and a newline.
[[nodiscard]] std::string_view commit();
/// Returns docs/bibliography.toml.
[[nodiscard]] std::string_view bibliography();
/// Return the scripts of completion/.
[[nodiscard]] std::string_view completion_bash();
[[nodiscard]] std::string_view completion_zsh();
[[nodiscard]] std::string_view completion_fish();

}  // namespace holdfast::assets
