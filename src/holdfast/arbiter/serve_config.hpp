#pragma once

#include "holdfast/arbiter/server.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::arbiter {

/// Reads options from a TOML file: they have the names that they have on the command line, with _ or - between their words.
/// Errors name the file and the line.
/// @param not_here  options that only a command line can give
/// @returns an object of options, as a command line gives them
[[nodiscard]] Result<Value> read_config(const std::filesystem::path& path,
                                        std::span<const Parameter> options,
                                        std::span<const std::string_view> not_here);

/// Returns the options of a command line, and those of a file that it does not have.
[[nodiscard]] Value with_config(const Value& given, const Value& config);

/// Reads the options of `io serve` from a command line and the file that its --config names.
[[nodiscard]] Result<ServerOptions> options_of(const Value& given);

/// Returns those options that differ and hold from a start on: not those that SIGHUP changes.
[[nodiscard]] std::vector<std::string> changed_for_later(const Value& before, const Value& after);

}  // namespace holdfast::arbiter
