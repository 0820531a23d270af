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

/// Reads options from a TOML file. Their names are those of the command line, with _ or - between words. Errors name the file
/// and the line.
/// @param not_here  options that only a command line can give
/// @returns an object of options, as a command line gives them
[[nodiscard]] Result<Value> read_config(const std::filesystem::path& path,
                                        std::span<const Parameter> options,
                                        std::span<const std::string_view> not_here);

/// Returns the options of a command line, and those options of a file that the command line does not give.
[[nodiscard]] Value with_config(const Value& given, const Value& config);

/// Reads the options of `io serve` from a command line and the file that its --config names.
[[nodiscard]] Result<ServerOptions> options_of(const Value& given);

/// Returns the names of those options that differ and take effect only at a start, not at a SIGHUP.
[[nodiscard]] std::vector<std::string> changed_for_later(const Value& before, const Value& after);

}  // namespace holdfast::arbiter
