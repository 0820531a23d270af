#pragma once

#include "holdfast/domains/checkpoint/strategies.hpp"

namespace holdfast::checkpoint {

/// A function that makes one rule.
using MakeRule = Made(const Instance& instance, const StrategySpec& spec);

/// Returns a rule for a job that goes on with fewer nodes: on each number of nodes that of a job with as many, whose work takes the
/// time that it takes there.
/// @pre instance.is_elastic()
[[nodiscard]] Made make_by_size(const Instance& instance, const StrategySpec& spec, MakeRule* make);

}  // namespace holdfast::checkpoint
