#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::cli {

/// A domain for tests of what is generic: a job of some work is tried until it meets no failure. It has a parameter,
/// a verb and an error of every kind, and nothing to learn from.
[[nodiscard]] const Domain& toy_domain();

}  // namespace holdfast::cli
