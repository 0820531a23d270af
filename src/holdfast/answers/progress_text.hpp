#pragma once

#include "holdfast/campaign/control.hpp"

#include <string>

namespace holdfast {

/// Returns "12 400 of 288 000 cells, 4.3 %, 1 240/s, 3 min 42 s left".
[[nodiscard]] std::string progress_text(const Progress& progress);

/// Returns "[#####...............] ", in ASCII, which every terminal shows. Empty if there is nothing to do.
[[nodiscard]] std::string progress_bar(const Progress& progress);

}  // namespace holdfast
