#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::moldable {

/// plan, generate, optimum.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::moldable
