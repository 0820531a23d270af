#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

namespace holdfast::io {

// Who gets how much is an algorithm that `machine` uses too; here it is asked for a window in which nobody joins or leaves.
using bandwidth::kNever;
using bandwidth::kTie;
using bandwidth::median;
using bandwidth::Pending;
using bandwidth::Rank;
using bandwidth::set_number;
using bandwidth::Situation;
using bandwidth::Strategy;

}  // namespace holdfast::io
