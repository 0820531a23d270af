#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::checkpoints {

/// The highest of many lines y = height - slope s, for s >= 0, where lines come with increasing slope and questions with
/// falling s: amortised O(1) for each.
class Envelope {
 public:
  void clear() {
    lines_.clear();
    front_ = 0;
  }

  /// @pre slope larger than that of all lines before
  void add(double height, std::uint32_t slope) {
    if (!lines_.empty()) {
      // Lower and steeper than the last one: below it for every s >= 0, now and later.
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
    std::uint32_t slope;  ///< the smallest of those that reach the value
  };
  /// @pre at least one line; s at most that of all questions before
  [[nodiscard]] Best at(double s) {
    while (front_ + 1 < lines_.size() && s < lines_[front_ + 1].from) ++front_;
    const Line& line = lines_[front_];
    return {line.height - s * line.slope, line.slope};
  }

 private:
  struct Line {
    double height;
    double from;  ///< below this s it is higher than the line before
    std::uint32_t slope;
  };
  static double meets(const Line& line, double height, std::uint32_t slope) {
    return (height - line.height) / (slope - line.slope);
  }

  std::vector<Line> lines_;
  std::size_t front_ = 0;
};

}  // namespace holdfast::checkpoints
