#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::cosched {

/// plan, predict, advise, optimum, generate.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::cosched
