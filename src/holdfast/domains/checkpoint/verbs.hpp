#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::checkpoint {

/// plan, expected, optimum, hazard, generate.
[[nodiscard]] std::vector<Verb> verbs();

// One per file of verbs/.
[[nodiscard]] Verb plan_verb();
[[nodiscard]] Verb expected_verb();
[[nodiscard]] Verb optimum_verb();
[[nodiscard]] Verb hazard_verb();
[[nodiscard]] Verb generate_verb();

}  // namespace holdfast::checkpoint
