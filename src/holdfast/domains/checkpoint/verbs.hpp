#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::checkpoint {

/// Returns the verbs plan, expected, optimum, hazard, generate and spares.
[[nodiscard]] std::vector<Verb> verbs();

// Each verb has its own file in verbs/.
[[nodiscard]] Verb plan_verb();
[[nodiscard]] Verb expected_verb();
[[nodiscard]] Verb optimum_verb();
[[nodiscard]] Verb hazard_verb();
[[nodiscard]] Verb generate_verb();
[[nodiscard]] Verb spares_verb();

}  // namespace holdfast::checkpoint
