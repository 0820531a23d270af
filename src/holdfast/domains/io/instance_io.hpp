#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/instance.hpp"

#include <filesystem>

namespace holdfast::io {

/// Returns true if the parameters describe a generator (applications is a number, or absent) instead of an instance (a list).
[[nodiscard]] bool describes_generator(const Value& parameters);

/// Returns true if they describe windows of a workload, that is, if there are `classes`.
[[nodiscard]] bool describes_workload(const Value& parameters);

/// Reads and checks an instance document. Errors name the field as a JSON pointer.
/// @param directory  the folder to which relative paths of I/O logs refer
[[nodiscard]] Result<Instance> read_instance(const Value& document,
                                             const std::filesystem::path& directory = ".");
[[nodiscard]] Result<GeneratorParameters> read_generator(const Value& parameters);

/// Returns the document that reads back as this instance.
[[nodiscard]] Value to_value(const Instance& instance);
[[nodiscard]] Value to_value(const GeneratorParameters& parameters);

}  // namespace holdfast::io
