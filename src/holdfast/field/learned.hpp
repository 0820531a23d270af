#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/domains/checkpoint/advisor/advisor.hpp"

namespace holdfast::field {

/// Returns what a journal's `estimate` says was learned of a job.
/// @param estimate  null: nothing
/// @param base      what stands for all that it does not say
[[nodiscard]] checkpoint::Learned learned_of(const Value& estimate, checkpoint::Learned base);

}  // namespace holdfast::field
