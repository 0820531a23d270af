#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

namespace holdfast::io {

// Strategies for bandwidth sharing are algorithms that `machine` uses too. Here they serve a window in which no application
// starts or ends.
using bandwidth::kNever;
using bandwidth::kTie;
using bandwidth::median;
using bandwidth::Pending;
using bandwidth::Rank;
using bandwidth::set_number;
using bandwidth::Situation;
using bandwidth::Strategy;

}  // namespace holdfast::io
