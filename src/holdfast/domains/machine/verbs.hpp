#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::machine {

/// plan, generate.
[[nodiscard]] std::vector<Verb> verbs();

// One file of verbs/ each.
[[nodiscard]] Verb plan_verb();
[[nodiscard]] Verb generate_verb();

}  // namespace holdfast::machine
