#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/answer.hpp"

#include <filesystem>

namespace holdfast::steward {

/// Returns how the server of a folder is doing: whether it runs, what it cares for, and what it did last, with reasons.
[[nodiscard]] Result<Answer> status_of(const std::filesystem::path& folder);

}  // namespace holdfast::steward
