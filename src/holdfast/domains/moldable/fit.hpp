#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::moldable {

/// Returns the verb `moldable fit FILE`, which fits speedup models to measured run times and reports their residuals.
[[nodiscard]] Verb fit_verb();

}  // namespace holdfast::moldable
