#pragma once

#include "holdfast/base/text_sink.hpp"
#include "holdfast/report/packing.hpp"
#include "holdfast/report/timeline_view.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Where the bars of a schedule lie, in units counted from the top of its picture. Where the schedule counts resources
/// in whole numbers, a unit is one of them: without lanes the picture's rows are the resources of one pool, with lanes
/// each has as many as the fullest one ever uses; of more than 400 a unit is several, and bars take whole units, so that
/// their areas are right on average. Else a unit is a track of a lane (rows of one lane that overlap).
class BarRows {
 public:
  BarRows(const Timeline& timeline, const TimelineRoles& roles, const LaneLayout& layout);

  [[nodiscard]] std::int64_t units() const { return first_.back(); }
  /// Returns the first unit of a lane; of the lane after the last one, units().
  [[nodiscard]] std::int64_t first(std::size_t lane) const { return first_[lane]; }
  /// Returns how many resources a unit is.
  [[nodiscard]] std::int64_t resources_per_unit() const { return per_unit_; }
  /// Returns true if units are resources.
  [[nodiscard]] bool are_resources() const { return !packers_.empty(); }
  /// The units of the next row. @pre called for rows 0, 1, 2 ... in turn
  std::span<const ResourceRange> next(std::size_t row, Interval when);

 private:
  const Timeline& timeline_;
  const TimelineRoles& roles_;
  const LaneLayout& layout_;
  std::vector<std::int64_t> first_;  ///< [lanes + 1]
  std::int64_t per_unit_ = 1;
  std::vector<Packer> packers_;     ///< [lanes], or none
  std::vector<std::int64_t> rest_;  ///< [lanes] resources that bars have not been given yet
  std::vector<ResourceRange> ranges_;
};

/// A bar in pixels.
struct Bar {
  double left = 0;
  double right = 0;
  double top = 0;
  double height = 0;
};

/// Writes the bars of one picture as SVG. Large bars are elements of their own with a tooltip. Small ones are gathered
/// into one path per colour; those that would be seen by nobody, within half a pixel of what covers the same
/// units already, are left out. So the picture stays small however many rows there are.
class BarPainter {
 public:
  /// @param units  of the picture; each is at least a pixel high
  BarPainter(SinkBuffer& out, std::int64_t units);

  /// The parts of a row that can be seen, in units. Valid until the next call. @pre rows come by time
  std::span<const ResourceRange> visible(std::span<const ResourceRange> ranges, double left,
                                         double right);
  /// Returns true if a bar is worth an element of its own.
  [[nodiscard]] static bool is_large(const Bar& bar) {
    return bar.right - bar.left >= kLarge && bar.height >= kLarge;
  }
  void add_small(const Bar& bar, std::string_view color);
  /// Writes what is gathered.
  void finish();

 private:
  static constexpr double kLarge = 3;
  void flush(std::string_view color, std::string& path);

  SinkBuffer& out_;
  std::vector<double> covered_;  ///< [units] up to where
  std::vector<ResourceRange> visible_;
  std::map<std::string, std::string, std::less<>> paths_;
};

}  // namespace holdfast
