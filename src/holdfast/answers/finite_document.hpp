#pragma once

#include "holdfast/base/value.hpp"

#include <string>

namespace holdfast {

/// Takes NaN and infinity out of a result, for which JSON has no word: a member goes, an element of an array becomes
/// null so that the others keep their places.
/// @returns a warning that names the first place; empty if nothing was taken out
[[nodiscard]] std::string drop_non_finite(Value& document);

}  // namespace holdfast
