#pragma once

#include "holdfast/domains/io/instance.hpp"

namespace holdfast::io {

/// Returns what is left of a window after its first part was shared equally: everybody has the progress made by then, and
/// phases begin with the rest of what is under way (an operation counts as posted at the new begin). Strategies so meet
/// yields that differ.
/// @param part  of the window's length, in (0, 1)
/// Source: the second mode of the simulator of the thesis's authors.
[[nodiscard]] Instance after_warmup(const Instance& instance, double part);

}  // namespace holdfast::io
