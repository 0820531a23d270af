#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::capacity {

/// plan, generate.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::capacity
