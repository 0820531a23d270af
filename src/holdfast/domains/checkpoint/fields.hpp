#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

#include <span>

namespace holdfast::checkpoint {

/// Returns the fields of an instance document as options: help texts, completion and campaigns read them here.
[[nodiscard]] std::span<const Parameter> fields();

/// Returns those of these fields that stand in a document before its "failures", and those that stand behind. The fields of
/// failures depend on each other and are read by hand.
[[nodiscard]] const Fields<Instance>& job_fields();
[[nodiscard]] const Fields<Instance>& platform_fields();

}  // namespace holdfast::checkpoint
