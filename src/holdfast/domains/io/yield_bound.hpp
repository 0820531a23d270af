#pragma once

#include "holdfast/domains/io/instance.hpp"

namespace holdfast::io {

/// Returns a minimum yield that no strategy exceeds in this window, whatever it knows. To have a yield of y at the end,
/// application i has to do D_i = y (end - r_i) - P_i seconds of dedicated execution. It does at most one per second, so
/// by the date t it has moved what lies in the first D_i - (end - t) of them, and before the date s no more than what
/// lies in the first s - begin. What all of them have to move between two dates is at most what the file system can
/// move; an application that has to move less than nothing is left out, so this holds for every set of them. The
/// largest y is returned that keeps this from any of K dates to any of K others, at which operations could begin at the
/// earliest and have to end at the latest: all of them in small windows, every n-th in large ones. O(m K^2) for each of 36
/// steps of a bisection, K from 64 for few applications to 2 for many.
/// @pre check(instance)
[[nodiscard]] double yield_bound(const Instance& instance);

}  // namespace holdfast::io
