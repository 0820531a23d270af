#pragma once

#include "holdfast/domains/io/instance.hpp"

namespace holdfast::io {

/// Returns a minimum yield that no strategy can exceed in this window, even with full knowledge. To have a yield of y at the
/// end, application i has to do D_i = y (end - r_i) - P_i seconds of dedicated execution. It does at most one per second. So by
/// the date t it has moved the bytes of the first D_i - (end - t) of these seconds, and before the date s no more than those of
/// the first s - begin. The bytes that all applications have to move between two dates cannot exceed what the file system can
/// move; an application whose bytes would be negative is left out, so this holds for every set of applications. The function
/// returns the largest y that satisfies this condition from each of K dates at which operations could begin at the earliest to
/// each of K dates at which they have to end at the latest: all of these dates in small windows, every n-th in large ones. It
/// takes O(m K^2) for each of 36 steps of a bisection, with K from 64 for few applications to 2 for many.
/// @pre check(instance)
[[nodiscard]] double yield_bound(const Instance& instance);

}  // namespace holdfast::io
