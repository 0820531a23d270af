#pragma once

#include "holdfast/report/time_axis.hpp"

#include <string_view>

namespace holdfast {

/// From where to where an axis reaches.
struct ChartRange {
  double low = 0;
  double high = 1;
  bool is_logarithmic = false;
};

/// Places the values of one axis of numbers on a picture.
class ChartScale {
 public:
  /// In pixels.
  struct Span {
    double from = 0;
    double to = 0;
  };

  /// An empty range is widened upwards. @pre a logarithmic range begins above 0
  ChartScale(const ChartRange& range, Span span);

  /// Returns true if the axis can show a value: it is finite, and positive on a logarithmic axis.
  [[nodiscard]] bool shows(double value) const;
  /// @pre shows(value)
  [[nodiscard]] double place(double value) const;
  /// About `wanted` round positions. Logarithmic axes have powers of ten, finer where they span few.
  /// @param unit  of the values; "s" gives units of time that people read
  [[nodiscard]] TimeAxis ticks(std::string_view unit, int wanted) const;

 private:
  [[nodiscard]] TimeAxis decades(std::string_view unit, int wanted) const;

  ChartRange range_;
  Span span_;
};

}  // namespace holdfast
