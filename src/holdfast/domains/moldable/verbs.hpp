#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::moldable {

/// Returns the verbs plan, optimum, generate and fit.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::moldable
