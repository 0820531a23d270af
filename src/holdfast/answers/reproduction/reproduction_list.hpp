#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/answer.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// Returns the folders of all tables and figures in a directory. It is an error if there are none.
[[nodiscard]] Result<std::vector<std::filesystem::path>> known_reproductions(
    const std::filesystem::path& directory);

/// Returns the folders with these names, in the order of the names.
[[nodiscard]] Result<std::vector<std::filesystem::path>> chosen_reproductions(
    std::span<const std::filesystem::path> known, std::span<const std::string> ids);

/// Returns a table with a row for each of these folders.
[[nodiscard]] Result<Answer> reproduction_list(std::span<const std::filesystem::path> folders);

}  // namespace holdfast
