#pragma once

#include "holdfast/arbiter/commands.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/contract/parameter.hpp"

#include <span>

namespace holdfast::arbiter {

/// The options of `io run`.
[[nodiscard]] std::span<const Parameter> run_parameters();

/// Becomes the program that was asked for, with the shim for programs that know nothing of the arbiter put before its C library.
/// @returns 127 where there is no such program, 126 where it cannot be executed, or what is wrong with the question
[[nodiscard]] Result<int> run_program(const Request& request);

}  // namespace holdfast::arbiter
