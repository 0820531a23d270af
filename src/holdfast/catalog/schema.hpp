#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>

namespace holdfast {

/// Returns the JSON Schema (draft 2020-12) of an object with these members. The keyword `unit`, which validators ignore, has the
/// unit of a number. Other members are allowed, because later versions may add some.
[[nodiscard]] Value schema_of(std::span<const ResultField> members);

/// Returns the schema of the document that a verb prints with --json.
/// @param domain  the domain of the verb; null if it belongs to none
[[nodiscard]] Value schema_of(const Domain* domain, const Verb& verb);

}  // namespace holdfast
