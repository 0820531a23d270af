#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Round positions for the ticks of an axis, in a readable unit.
struct TimeAxis {
  struct Tick {
    double at = 0;     ///< position in the unit of the data
    std::string text;  ///< label in the unit of the axis
  };
  std::string unit;  ///< "h", "slots"; empty: none
  std::vector<Tick> ticks;
};

/// Returns an axis from `low` to `high` with about `wanted` ticks. Seconds ("s") and bytes per second ("B/s") are shown in a
/// unit that suits the range; other units stay as they are.
[[nodiscard]] TimeAxis make_axis(double low, double high, std::string_view unit, int wanted);

}  // namespace holdfast
