#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/volatile/generator.hpp"

#include <filesystem>

namespace holdfast::volatile_workers {

/// Returns true if the parameters describe a generator (workers is a number, or absent) and not an
/// instance (a list).
[[nodiscard]] bool describes_generator(const Value& parameters);

/// @param directory  where the relative path of recorded availability starts
[[nodiscard]] Result<GeneratorParameters> read_generator(
    const Value& parameters, const std::filesystem::path& directory = ".");

/// Returns what defines the platforms and their states, complete with defaults.
[[nodiscard]] Value to_value(const GeneratorParameters& parameters);

}  // namespace holdfast::volatile_workers
