#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>
#include <string_view>

namespace holdfast {

/// The domain for examples that would work with any domain.
inline constexpr std::string_view kExampleDomain = "checkpoint";

/// Returns the whole catalog as a document, and its lists as tables.
/// @param commands  the commands of the caller, as they stand in its document
[[nodiscard]] Answer catalog_answer(std::span<const Domain* const> known, Value commands);

/// Returns the same for one domain.
[[nodiscard]] Answer catalog_answer(const Domain& domain);

}  // namespace holdfast
