#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::sketch {

/// generate.
[[nodiscard]] std::vector<Verb> verbs();

}  // namespace holdfast::sketch
