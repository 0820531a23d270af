#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::checkpoint {

/// Returns the domain `checkpoint`: when should this job checkpoint, given how old its nodes are?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::checkpoint
