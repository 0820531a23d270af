#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::workflow {

/// How often should each task of a workflow checkpoint?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::workflow
