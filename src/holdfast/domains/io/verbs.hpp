#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::io {

/// plan, generate, examples.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::io
