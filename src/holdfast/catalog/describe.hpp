#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>

namespace holdfast {

/// Returns what the library knows, as a document of kind `catalog`, version 1: domains with their fields, strategies, metrics,
/// columns of the schedule and verbs, laws of failures, models of speedup and formats of traces. What documentation,
/// completion and bindings are made of. A member that would be empty is absent (docs/interface.md).
[[nodiscard]] Value describe(std::span<const Domain* const> known);

/// Returns one domain as it stands there, under "domains".
[[nodiscard]] Value describe(const Domain& domain);

/// Returns "number", "integer", "flag" ...
[[nodiscard]] std::string_view name(Kind kind);

}  // namespace holdfast
