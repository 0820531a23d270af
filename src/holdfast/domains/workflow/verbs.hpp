#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::workflow {

/// plan, generate, bounds.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::workflow
