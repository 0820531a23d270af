#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::moldable {

/// Returns the domain `moldable`: independent moldable jobs with silent errors.
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::moldable
