#pragma once

#include "holdfast/contract/verb.hpp"

namespace holdfast::field {

/// Returns the verb `guard`, which guards a program, or says how far a guarded one is.
[[nodiscard]] Verb guard_verb();

}  // namespace holdfast::field
