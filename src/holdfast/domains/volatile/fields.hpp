#pragma once

#include "holdfast/contract/parameter.hpp"

#include <span>
#include <string_view>

namespace holdfast::volatile_workers {

/// Fields of the document and of the generator that may also be given as options.
[[nodiscard]] std::span<const Parameter> fields();

/// Names of those that make workers, which a document about now lists itself.
[[nodiscard]] std::span<const std::string_view> generator_fields();
/// Names of all of them.
[[nodiscard]] std::span<const std::string_view> all_fields();

}  // namespace holdfast::volatile_workers
