#pragma once

#include "holdfast/domains/io/instance.hpp"

namespace holdfast::io {

/// Returns the rest of a window after its first part was shared equally. Each application keeps the progress that it has made
/// by then, and its phases begin with the rest of the current one (an operation counts as posted at the new begin). So
/// strategies start with different yields.
/// @param part  fraction of the window's length, in (0, 1)
/// Source: the second mode of the simulator of the thesis's authors.
[[nodiscard]] Instance after_warmup(const Instance& instance, double part);

}  // namespace holdfast::io
