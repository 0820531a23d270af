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

/// The vertical places of the bars of a schedule, in units from the top of its picture. If the schedule counts resources in
/// whole numbers, a unit is one resource: without lanes, the rows of the picture are the resources of one pool; with lanes,
/// each lane has as many units as the fullest lane ever uses. With more than 400 resources a unit is several, and bars take
/// whole units so that their areas are right on average. If the schedule does not count resources, a unit is a track of a lane
/// (for rows of one lane that overlap).
class BarRows {
 public:
  BarRows(const Timeline& timeline, const TimelineRoles& roles, const LaneLayout& layout);

  [[nodiscard]] std::int64_t units() const { return first_.back(); }
  /// Returns the first unit of a lane; for the position after the last lane, units().
  [[nodiscard]] std::int64_t first(std::size_t lane) const { return first_[lane]; }
  /// Returns the number of resources in a unit.
  [[nodiscard]] std::int64_t resources_per_unit() const { return per_unit_; }
  /// Returns true if units are resources.
  [[nodiscard]] bool are_resources() const { return !packers_.empty(); }
  /// Returns the units of the next row. @pre called for rows 0, 1, 2 ... in turn
  std::span<const ResourceRange> next(std::size_t row, Interval when);

 private:
  const Timeline& timeline_;
  const TimelineRoles& roles_;
  const LaneLayout& layout_;
  std::vector<std::int64_t> first_;  ///< [lanes + 1]
  std::int64_t per_unit_ = 1;
  std::vector<Packer> packers_;     ///< packers of the lanes; empty if units are tracks
  std::vector<std::int64_t> rest_;  ///< [lanes] resources that have not been given to a bar yet
  std::vector<ResourceRange> ranges_;
};

/// A bar in pixels.
struct Bar {
  double left = 0;
  double right = 0;
  double top = 0;
  double height = 0;
};

/// A writer of the bars of one picture as SVG. Large bars are separate elements with a tooltip. Small bars are collected into
/// one path per colour, and bars that nobody could see, within half a pixel of a bar that already covers the same units, are
/// left out. So the picture stays small even if there are many rows.
class BarPainter {
 public:
  /// @param units  number of units of the picture; each is at least one pixel high
  BarPainter(SinkBuffer& out, std::int64_t units);

  /// Returns the visible parts of a row, in units. Valid until the next call. @pre rows come in order of time
  std::span<const ResourceRange> visible(std::span<const ResourceRange> ranges, double left,
                                         double right);
  /// Returns true if a bar is large enough to be a separate element.
  [[nodiscard]] static bool is_large(const Bar& bar) {
    return bar.right - bar.left >= kLarge && bar.height >= kLarge;
  }
  void add_small(const Bar& bar, std::string_view color);
  /// Writes the collected small bars.
  void finish();

 private:
  static constexpr double kLarge = 3;
  void flush(std::string_view color, std::string& path);

  SinkBuffer& out_;
  std::vector<double> covered_;  ///< [units] how far to the right each unit is covered
  std::vector<ResourceRange> visible_;
  std::map<std::string, std::string, std::less<>> paths_;
};

}  // namespace holdfast
