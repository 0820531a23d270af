#pragma once

#include "holdfast/contract/parameter.hpp"

#include <span>

namespace holdfast::volatile_workers {

/// Fields of the document and of the generator that may also be given as options.
[[nodiscard]] std::span<const Parameter> fields();

}  // namespace holdfast::volatile_workers
