#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"

#include <string>

namespace holdfast::checkpoint {

/// Returns one line for people that says which problem this is, and what its MTBF refers to: "a job of 48 h on 10 000
/// processors, MTBF 10 y of each (8 h 46 min together), weibull (shape 0.7), platform 100 d old"; "observed MTBF 286 d 11 h of
/// each ..." if it comes from a log.
[[nodiscard]] std::string headline(const Instance& instance);

}  // namespace holdfast::checkpoint
