#pragma once

#include "holdfast/report/time_axis.hpp"

#include <string_view>

namespace holdfast {

/// The range of values on an axis.
struct ChartRange {
  double low = 0;
  double high = 1;
  bool is_logarithmic = false;
};

/// The places of the values of a numerical axis in a picture.
class ChartScale {
 public:
  /// A range of pixels.
  struct Span {
    double from = 0;
    double to = 0;
  };

  /// Makes a scale. An empty range is widened upwards. @pre a logarithmic range begins above 0
  ChartScale(const ChartRange& range, Span span);

  [[nodiscard]] const ChartRange& range() const { return range_; }
  /// Returns true if the axis can show a value: it must be finite, and positive on a logarithmic axis.
  [[nodiscard]] bool shows(double value) const;
  /// Returns the place of a value in pixels. @pre shows(value)
  [[nodiscard]] double place(double value) const;
  /// Returns about `wanted` round positions. Logarithmic axes have powers of ten, or finer steps if they span few of them.
  /// @param unit  unit of the values; "s" gives readable units of time
  [[nodiscard]] TimeAxis ticks(std::string_view unit, int wanted) const;

 private:
  [[nodiscard]] TimeAxis decades(std::string_view unit, int wanted) const;

  ChartRange range_;
  Span span_;
};

}  // namespace holdfast
