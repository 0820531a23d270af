#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/cosched/generator.hpp"
#include "holdfast/domains/cosched/instance.hpp"

namespace holdfast::cosched {

/// Returns true if the parameters describe a generator (tasks is a number, or absent) instead of an instance (a list).
[[nodiscard]] bool describes_generator(const Value& parameters);

/// Reads and checks an instance. Errors have the JSON pointer of the field.
[[nodiscard]] Result<Instance> read_instance(const Value& document);
[[nodiscard]] Result<GeneratorParameters> read_generator(const Value& parameters);

/// Returns the document that reads back as the same instance.
[[nodiscard]] Value to_value(const Instance& instance);
[[nodiscard]] Value to_value(const GeneratorParameters& parameters);

}  // namespace holdfast::cosched
