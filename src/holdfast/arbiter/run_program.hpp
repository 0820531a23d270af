#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/contract/verb.hpp"

#include <span>
#include <string>

namespace holdfast::arbiter {

/// Returns the options of `io run`.
[[nodiscard]] std::span<const Parameter> run_parameters();

/// Replaces this process with the requested program. The program loads the shim before its C library, so that it need not know
/// of the arbiter.
/// @returns only if this fails: 127 if there is no such program, 126 if it cannot be executed, or an error in the options
[[nodiscard]] Result<int> run_program(const Request& request);

/// Returns the socket of the arbiter: the one that was given, else that of the environment, else the usual one.
[[nodiscard]] std::string arbiter_socket(const std::string& given);

}  // namespace holdfast::arbiter
