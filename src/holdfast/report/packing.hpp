#pragma once

#include "holdfast/report/timeline_view.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holdfast {

/// Resources from `from` to below `to`.
struct ResourceRange {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// Numbers the resources of one pool that each bar takes, for schedules that only say how many. A bar takes what the
/// last bar of the same name had if that is free (a job that runs again stays where it was), else the tightest of the
/// lowest free ranges that holds it, else several of the lowest.
class Packer {
 public:
  /// @param size  resources; at least the most that are taken at one time
  explicit Packer(std::int64_t size);

  /// The ranges of the next bar, in increasing order; valid until the next call. None for a bar without length or
  /// width. @pre starts do not decrease
  std::span<const ResourceRange> place(Interval when, std::int64_t width, std::string_view name);

 private:
  void give_back(double now);
  bool take_again(std::string_view name, std::int64_t width);
  void take(std::int64_t from, std::int64_t to);

  struct Busy {
    double end;
    std::vector<ResourceRange> ranges;
    bool operator>(const Busy& other) const { return end > other.end; }
  };
  std::map<std::int64_t, std::int64_t> free_;  ///< from -> to, not adjacent
  std::vector<Busy> busy_;                     ///< a heap, earliest end on top
  std::unordered_map<std::string, std::vector<ResourceRange>> last_;
  std::vector<ResourceRange> taken_;
};

/// Most resources that the rows of each lane take at one time, where widths are whole numbers.
[[nodiscard]] std::vector<std::int64_t> most_at_once(const Timeline& timeline,
                                                     const TimelineRoles& roles,
                                                     std::span<const std::uint32_t> lane_of,
                                                     std::size_t lanes);

}  // namespace holdfast
