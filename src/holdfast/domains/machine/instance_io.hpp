#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/instance.hpp"

#include <filesystem>

namespace holdfast::machine {

/// Reads and checks an instance document. Errors name the field as a JSON pointer.
/// @param directory  the folder to which relative paths of logs and of a file of classes refer
[[nodiscard]] Result<Instance> read_instance(const Value& document,
                                             const std::filesystem::path& directory);

/// Returns the document that reads back as this instance, in SI units and without header. It contains the contents of the files
/// that were read, instead of their names.
[[nodiscard]] Value to_value(const Instance& instance);

}  // namespace holdfast::machine
