#pragma once

#include "holdfast/contract/decision.hpp"

namespace holdfast::checkpoint {

/// Returns what a rule from outside decides here: strategy `custom`.
[[nodiscard]] const DecisionTable& decision();

}  // namespace holdfast::checkpoint
