#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/sketch/instance.hpp"

namespace holdfast::sketch {

/// Returns the fields of an instance document, from which options, help texts, reader, writer and ranges are made.
[[nodiscard]] const Fields<Instance>& fields();

/// Reads and checks an instance document. Errors name the field as a JSON pointer.
[[nodiscard]] Result<Instance> read_instance(const Value& document);

/// Returns the document that reads back as this instance, in SI units, without a header.
[[nodiscard]] Value to_value(const Instance& instance);

}  // namespace holdfast::sketch
