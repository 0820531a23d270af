#pragma once

#include <vector>

#include "holdfast/contract/domain.hpp"

namespace holdfast::cosched {

/// plan, predict, advise, optimum, generate.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::cosched
