#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::checkpoints {

/// The upper envelope of many lines y = height - slope s, for s >= 0. Lines are added in order of increasing slope and queries
/// come with decreasing s, so each takes amortised O(1).
class Envelope {
 public:
  void clear() {
    lines_.clear();
    front_ = 0;
  }

  /// Adds a line. @pre its slope is larger than those of all earlier lines
  void add(double height, std::uint32_t slope) {
    if (!lines_.empty()) {
      // It is lower and steeper than the last line, so it lies below it for every s >= 0.
      if (height <= lines_.back().height) return;
      while (lines_.size() > front_ + 1 &&
             meets(lines_.back(), height, slope) >= lines_.back().from) {
        lines_.pop_back();
      }
    }
    const double from = lines_.empty() ? 0 : meets(lines_.back(), height, slope);
    lines_.push_back({height, from, slope});
  }

  struct Best {
    double value;
    std::uint32_t slope;  ///< the smallest slope that reaches the value
  };
  /// Returns the highest line at s. @pre there is a line; s does not exceed any earlier query
  [[nodiscard]] Best at(double s) {
    while (front_ + 1 < lines_.size() && s < lines_[front_ + 1].from) ++front_;
    const Line& line = lines_[front_];
    return {line.height - s * line.slope, line.slope};
  }

 private:
  struct Line {
    double height;
    double from;  ///< the line is higher than the one before for s below this
    std::uint32_t slope;
  };
  static double meets(const Line& line, double height, std::uint32_t slope) {
    return (height - line.height) / (slope - line.slope);
  }

  std::vector<Line> lines_;
  std::size_t front_ = 0;
};

}  // namespace holdfast::checkpoints
