#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/machine/instance.hpp"

#include <span>

namespace holdfast::machine {

/// Returns the plain fields of an instance document; jobs, classes and failures are read by code of their own.
[[nodiscard]] const Fields<Instance>& instance_fields();
/// Returns the same fields and those inside `jobs`, `classes` and `failures`, as options.
[[nodiscard]] std::span<const Parameter> fields();

}  // namespace holdfast::machine
