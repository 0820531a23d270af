#pragma once

#include "holdfast/base/value.hpp"

namespace holdfast::cli {

class Console;

/// Takes NaN and infinity out of a result, for which JSON has no word: a member goes, an element of an array becomes
/// null so that the others keep their places. A warning names the first place.
void drop_non_finite(Value& document, Console& console);

}  // namespace holdfast::cli
