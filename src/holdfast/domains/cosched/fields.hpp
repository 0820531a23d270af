#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/cosched/generator.hpp"
#include "holdfast/domains/cosched/instance.hpp"

namespace holdfast::cosched {

/// Returns the fields that may be given as options: those of a random instance, some of which a listed one has too.
[[nodiscard]] const Fields<GeneratorParameters>& generator_fields();
/// Returns the fields of a listed instance that are plain numbers of its platform.
[[nodiscard]] const Fields<Instance>& platform_fields();

}  // namespace holdfast::cosched
