#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

#include <span>

namespace holdfast::checkpoint {

/// Returns the fields of an instance document as options, for help texts, completion and campaigns.
[[nodiscard]] std::span<const Parameter> fields();

/// Return the fields that precede "failures" in a document, and those that follow. The fields of failures depend on each other,
/// so code of their own reads them.
[[nodiscard]] const Fields<Instance>& job_fields();
[[nodiscard]] const Fields<Instance>& platform_fields();

}  // namespace holdfast::checkpoint
