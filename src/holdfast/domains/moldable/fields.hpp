#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/moldable/generator.hpp"
#include "holdfast/domains/moldable/instance.hpp"

#include <span>

namespace holdfast::moldable {

/// Returns the fields that may be given as options.
[[nodiscard]] std::span<const Parameter> fields();
/// Returns the fields of a random instance, some of which a listed one has too.
[[nodiscard]] const Fields<GeneratorParameters>& generator_fields();
/// Returns the fields of a listed instance that are plain numbers.
[[nodiscard]] const Fields<Instance>& instance_fields();

}  // namespace holdfast::moldable
