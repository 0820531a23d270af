#pragma once

#include "holdfast/contract/verb.hpp"

#include <span>

namespace holdfast::arbiter {

/// Returns the verbs of `holdfast io` in addition to those of its domain: serve, compare, calibrate, run and top.
[[nodiscard]] std::span<const Verb> verbs();

}  // namespace holdfast::arbiter
