#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>
#include <string>
#include <string_view>

namespace holdfast {

/// Returns a description of the library as a document of kind `catalog`, version 1: domains with their fields, strategies,
/// metrics, schedule columns and verbs, failure laws, speedup models and trace formats. Documentation, completion and bindings
/// are made from it. A member that would be empty is absent (docs/interface.md).
[[nodiscard]] Value describe(std::span<const Domain* const> known);

/// Returns one domain as it stands in that document, under "domains".
[[nodiscard]] Value describe(const Domain& domain);

/// Returns the members of a verb's document as they stand in that document, under "results".
[[nodiscard]] Value describe(std::span<const ResultField> results);

/// Returns "number", "integer", "flag" ...
[[nodiscard]] std::string_view name(Kind kind);

/// Returns the text of a member of an object in a description, such as "name" of a field; empty if it has no such member.
[[nodiscard]] std::string described_text(const Value& document, std::string_view member);

}  // namespace holdfast
