#pragma once

#include "holdfast/contract/decision.hpp"

namespace holdfast::io {

/// Returns what a rule from outside decides here: strategy `custom`.
[[nodiscard]] const DecisionTable& decision();

}  // namespace holdfast::io
