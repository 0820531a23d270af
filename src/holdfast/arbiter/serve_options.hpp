#pragma once

#include "holdfast/arbiter/server.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"

#include <span>

namespace holdfast::arbiter {

/// Returns the options of `io serve`.
[[nodiscard]] std::span<const Parameter> serve_parameters();

/// Reads the values of these options. Errors name the option.
[[nodiscard]] Result<ServerOptions> read_serve_options(const Value& values);

}  // namespace holdfast::arbiter
