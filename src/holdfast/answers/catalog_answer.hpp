#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>
#include <string_view>

namespace holdfast {

/// The domain of examples that could be any domain's.
inline constexpr std::string_view kExampleDomain = "checkpoint";

/// Returns everything that there is: the catalog as a document, and its lists as tables.
/// @param commands  of whoever asks, as its document holds them
[[nodiscard]] Answer catalog_answer(std::span<const Domain* const> known, Value commands);

/// Returns the same of one domain.
[[nodiscard]] Answer catalog_answer(const Domain& domain);

}  // namespace holdfast
