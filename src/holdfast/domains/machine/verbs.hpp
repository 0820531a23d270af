#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::machine {

/// generate.
[[nodiscard]] std::vector<Verb> verbs();

// One file of verbs/ each.
[[nodiscard]] Verb generate_verb();

}  // namespace holdfast::machine
