#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::machine {

/// Returns the domain `machine`: what does contention cost, how often should jobs checkpoint, how much bandwidth is needed?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::machine
