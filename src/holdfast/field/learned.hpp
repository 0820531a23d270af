#pragma once

#include "holdfast/domains/checkpoint/advisor/advisor.hpp"
#include "holdfast/field/entry.hpp"

#include <optional>

namespace holdfast::field {

/// Returns what a guard has learned about a job, from the `estimate` in its journal.
/// @param estimate  nothing: nothing was learned
/// @param base      values for everything that the estimate does not contain
[[nodiscard]] checkpoint::Learned learned_of(const std::optional<entry::Estimate>& estimate,
                                             checkpoint::Learned base);

}  // namespace holdfast::field
