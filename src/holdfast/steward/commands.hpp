#pragma once

#include "holdfast/contract/verb.hpp"

#include <span>

namespace holdfast::steward {

/// Returns the verbs that act on a running Slurm: `capacity serve`, `moldable submit`.
[[nodiscard]] std::span<const Verb> verbs();

}  // namespace holdfast::steward
