#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/instance.hpp"

#include <filesystem>

namespace holdfast::machine {

/// Reads and checks an instance document. Errors name the field as a JSON pointer.
/// @param directory  where the relative paths of logs and of a file of classes start
[[nodiscard]] Result<Instance> read_instance(const Value& document,
                                             const std::filesystem::path& directory);

/// Returns the document that reads back as this instance, in SI units; without header. What was read from files stands in it by
/// what they said.
[[nodiscard]] Value to_value(const Instance& instance);

}  // namespace holdfast::machine
