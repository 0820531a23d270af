#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"

#include <functional>
#include <span>
#include <string_view>

namespace holdfast::arbiter {

/// Returns the options of `io top`.
[[nodiscard]] std::span<const Parameter> top_parameters();

/// Shows who waits, who writes and whose yield is worst: once, again and again as lines, or in place on a terminal.
/// @param print  writes on standard output
/// @returns the exit code, or why there is nothing to show
[[nodiscard]] Result<int> run_top(const Value& options,
                                  const std::function<void(std::string_view)>& print);

}  // namespace holdfast::arbiter
