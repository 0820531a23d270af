#pragma once

#include "holdfast/base/value.hpp"

#include <string>

namespace holdfast {

/// Removes NaN and infinity from a result, because JSON cannot express them. A member is removed; an element of an array
/// becomes null so that the others keep their positions.
/// @returns a warning that names the first place; empty if nothing was removed
[[nodiscard]] std::string drop_non_finite(Value& document);

}  // namespace holdfast
