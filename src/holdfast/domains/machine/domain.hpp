#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::machine {

/// What does contention cost this machine, how often should its jobs checkpoint, and how much bandwidth does it need?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::machine
