#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::workflow {

/// Returns the domain `workflow`: how often should each task of a workflow checkpoint?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::workflow
