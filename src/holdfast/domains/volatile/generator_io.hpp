#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/volatile/generator.hpp"

#include <filesystem>

namespace holdfast::volatile_workers {

/// Returns true if the parameters describe a generator (workers is a number, or absent) instead of an instance (a list).
[[nodiscard]] bool describes_generator(const Value& parameters);

/// Reads the parameters of a generator. @param directory  the folder to which the relative path of recorded availability refers
[[nodiscard]] Result<GeneratorParameters> read_generator(
    const Value& parameters, const std::filesystem::path& directory = ".");

/// Returns the document that defines the platforms and their states, with all defaults filled in.
[[nodiscard]] Value to_value(const GeneratorParameters& parameters);

}  // namespace holdfast::volatile_workers
