#pragma once

#include "holdfast/contract/verb.hpp"

namespace holdfast::capacity {

/// Returns the verb `advise`: events in, moves out.
[[nodiscard]] Verb advise_verb();

}  // namespace holdfast::capacity
