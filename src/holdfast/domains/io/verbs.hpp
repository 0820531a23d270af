#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::io {

/// Returns the verbs plan, generate and examples.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::io
