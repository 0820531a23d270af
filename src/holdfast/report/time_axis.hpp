#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Round positions for the ticks of an axis, in a unit that people read.
struct TimeAxis {
  struct Tick {
    double at = 0;     ///< in the unit of the data
    std::string text;  ///< in the unit of the axis
  };
  std::string unit;  ///< "h", "slots"; empty: none
  std::vector<Tick> ticks;
};

/// Returns an axis from `low` to `high` with about `wanted` ticks. Seconds ("s") and bytes per second ("B/s") are
/// shown in the unit that fits their span; any other unit is kept as it is.
[[nodiscard]] TimeAxis make_axis(double low, double high, std::string_view unit, int wanted);

}  // namespace holdfast
