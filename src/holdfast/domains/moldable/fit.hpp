#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::moldable {

/// `moldable fit FILE`: speedup models for measured run times, with what each leaves unexplained.
[[nodiscard]] Verb fit_verb();

}  // namespace holdfast::moldable
