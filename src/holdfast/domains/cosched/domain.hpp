#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::cosched {

/// Returns the domain `cosched`: how are processors redistributed among applications after a failure?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::cosched
