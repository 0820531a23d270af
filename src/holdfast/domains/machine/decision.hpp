#pragma once

#include "holdfast/contract/decision.hpp"

namespace holdfast::machine {

/// Returns what a rule from outside decides here: strategy `custom`.
[[nodiscard]] const DecisionTable& decision();

}  // namespace holdfast::machine
