#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::machine {

/// Returns the verbs plan and generate.
[[nodiscard]] std::vector<Verb> verbs();

// Each has its own file in verbs/.
[[nodiscard]] Verb plan_verb();
[[nodiscard]] Verb generate_verb();

}  // namespace holdfast::machine
