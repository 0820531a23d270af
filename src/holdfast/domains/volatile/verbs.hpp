#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::volatile_workers {

/// Returns the verbs plan, admit, predict, offline, fit and generate.
[[nodiscard]] std::vector<Verb> verbs();

[[nodiscard]] Verb predict_verb();
[[nodiscard]] Verb plan_verb();
[[nodiscard]] Verb admit_verb();
[[nodiscard]] Verb offline_verb();
[[nodiscard]] Verb generate_verb();
[[nodiscard]] Verb fit_verb();

}  // namespace holdfast::volatile_workers
