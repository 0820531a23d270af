#pragma once

#include "holdfast/base/text_sink.hpp"

#include <string>
#include <string_view>

namespace holdfast {

// Drawing functions that all panels of a picture of schedules share.

constexpr double kLegible = 9;  ///< a lane or band is labelled if it is at least this high

/// The conversion of times to positions between the left and the right edge of the bars, in pixels.
struct TimeScale {
  double low = 0;
  double high = 0;
  double left = 0;
  double width = 0;

  [[nodiscard]] double at(double time) const {
    return high > low ? left + width * (time - low) / (high - low) : left;
  }
};

[[nodiscard]] std::string amount_text(double value, std::string_view unit);
/// Draws the name of a scale at the left.
void draw_upright(SinkBuffer& out, std::string_view text, double x, double y);
/// Draws the mark of a failure.
void draw_mark(SinkBuffer& out, double x, double y);

}  // namespace holdfast
