#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::capacity {

/// The binding of this domain to the contract.
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::capacity
