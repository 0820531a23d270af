#pragma once

#include "holdfast/base/stop.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/domains/io/run.hpp"
#include "holdfast/domains/io/strategy.hpp"
#include "holdfast/kernel/timeline.hpp"

namespace holdfast::io {

/// A fluid simulation of the window: one decision per distinct time at which something ends; rates are constant in between.
///
/// An operation is complete when at most 1e-12 of its volume is left, or when the rest takes at most 4 units in the last place
/// of the date. So the clock always advances, and the rest counts as moved, so that no byte is lost. Set-10 learns iteration
/// times during the run. fair-share runs in virtual time, with O(log m) per event.
/// @pre check(instance)
/// @param timeline  receives a row per interval of work, transfer or waiting, in order of start; may be null
/// @param stop      once wanted, the run ends at the next event, and its result is meaningless
/// Source: thesis, section 7.3; readings in README.md.
[[nodiscard]] Run simulate(const Instance& instance, const Load& load, Strategy& strategy,
                           Timeline* timeline = nullptr, Stop stop = {});

}  // namespace holdfast::io
