#pragma once

#include "holdfast/answers/files/places.hpp"

namespace holdfast::cli {

/// Returns the places of this process: PREFIX/share/holdfast for the program PREFIX/bin/holdfast, wherever it is installed,
/// otherwise the source tree from which it was built. Real data are in the folder that HOLDFAST_DATA names, otherwise in
/// `../shared/data` beside the source tree, if that folder exists.
[[nodiscard]] Places usual_places();

}  // namespace holdfast::cli
