#pragma once

#include "holdfast/contract/domain.hpp"

#include <vector>

namespace holdfast::sketch {

/// generate.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::sketch
