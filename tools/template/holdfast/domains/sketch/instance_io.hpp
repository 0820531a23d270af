#pragma once

#include "holdfast/contract/parameter.hpp"
#include "holdfast/domains/sketch/instance.hpp"

#include <span>

namespace holdfast::sketch {

/// The fields of an instance document as options: help texts and campaigns read them here.
[[nodiscard]] std::span<const Parameter> fields();

/// Reads and checks an instance document. Errors name the field as a JSON pointer.
[[nodiscard]] Result<Instance> read_instance(const Value& document);

/// The document that reads back as this instance, in SI units.
[[nodiscard]] Value to_value(const Instance& instance);

}  // namespace holdfast::sketch
