#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::capacity {

/// Returns the binding of this domain to the contract.
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::capacity
