#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/domains/checkpoint/advisor/advisor.hpp"

namespace holdfast::field {

/// Returns what a guard has learned about a job, from the `estimate` in its journal.
/// @param estimate  null: nothing was learned
/// @param base      values for everything that the estimate does not contain
[[nodiscard]] checkpoint::Learned learned_of(const Value& estimate, checkpoint::Learned base);

}  // namespace holdfast::field
