#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::moldable {

/// plan, optimum, generate, fit.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::moldable
