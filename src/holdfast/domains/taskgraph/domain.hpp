#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::taskgraph {

/// Returns the domain `taskgraph`: on how many processors is each task of a graph launched?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::taskgraph
