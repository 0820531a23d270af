#pragma once

#include "holdfast/contract/decision.hpp"

namespace holdfast::taskgraph {

/// Returns the decision that the strategy `custom` leaves to a caller's rule.
[[nodiscard]] const DecisionTable& decision();

}  // namespace holdfast::taskgraph
