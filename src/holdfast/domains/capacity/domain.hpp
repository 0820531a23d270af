#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::capacity {

/// Returns the domain `capacity`: which machine gets which job when power comes and goes?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::capacity
