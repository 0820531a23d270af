#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::workflow {

/// Returns the verbs plan and generate.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::workflow
