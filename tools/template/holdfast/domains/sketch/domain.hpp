#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::sketch {

/// Returns the domain `sketch`: how much work should this job do before it saves its state?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::sketch
