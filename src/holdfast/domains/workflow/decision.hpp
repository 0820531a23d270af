#pragma once

#include "holdfast/contract/decision.hpp"

namespace holdfast::workflow {

/// Returns what a rule from outside decides here: strategy `custom`.
[[nodiscard]] const DecisionTable& decision();

}  // namespace holdfast::workflow
