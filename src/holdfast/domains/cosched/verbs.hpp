#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::cosched {

/// Returns the verbs plan, predict, advise, optimum and generate.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::cosched
