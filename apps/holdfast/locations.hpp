#pragma once

#include "holdfast/answers/places.hpp"

namespace holdfast::cli {

/// The places of this process: beside the program (PREFIX/share/holdfast for PREFIX/bin/holdfast), wherever it was
/// installed, else the source tree that it was built from. Real data: what HOLDFAST_DATA names, else `../shared/data`
/// beside the source tree where there is such a folder.
[[nodiscard]] Places usual_places();

}  // namespace holdfast::cli
