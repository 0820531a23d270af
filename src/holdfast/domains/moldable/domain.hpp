#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::moldable {

/// Independent moldable jobs under silent errors, as the rest of the project sees them.
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::moldable
