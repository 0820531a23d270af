#pragma once

#include "holdfast/arbiter/server.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"

#include <span>
#include <string_view>

namespace holdfast::arbiter {

/// Where a server listens, and programs look for it, unless somebody says otherwise.
inline constexpr std::string_view kUsualSocket = "/run/holdfast/io.sock";

/// The options of `io serve`.
[[nodiscard]] std::span<const Parameter> serve_parameters();

/// Reads their values. Errors name the option.
[[nodiscard]] Result<ServerOptions> read_serve_options(const Value& values);

}  // namespace holdfast::arbiter
