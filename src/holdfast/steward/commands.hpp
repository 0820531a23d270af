#pragma once

#include "holdfast/contract/verb.hpp"

#include <span>

namespace holdfast::steward {

/// Returns the verbs of `holdfast capacity` in addition to those of its domain: serve.
[[nodiscard]] std::span<const Verb> verbs();

}  // namespace holdfast::steward
