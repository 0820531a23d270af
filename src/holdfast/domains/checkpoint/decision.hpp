#pragma once

#include "holdfast/contract/decision.hpp"

namespace holdfast::checkpoint {

/// What a rule from outside decides here: strategy `custom`.
[[nodiscard]] const DecisionTable& decision();

}  // namespace holdfast::checkpoint
