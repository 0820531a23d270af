#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace holdfast {

/// The time from `start` to `end`, in any unit.
struct Interval {
  double start = 0;  ///< start of the interval
  double end = 0;    ///< end of the interval, not before its start
};

/// The resources numbered `from` to `to` - 1.
struct ResourceRange {
  std::int64_t from = 0;  ///< the first resource
  std::int64_t to = 0;    ///< the resource after the last one
};

/// A pool whose resources are assigned to bars, for schedules that only say how many resources a bar takes. A bar gets the
/// resources that the last bar of the same name had, if these are free (so that a job that runs again stays where it was).
/// Otherwise it gets the lowest of the smallest free ranges that can hold it, and if none can, several of the lowest free
/// ranges.
class Packer {
 public:
  /// Makes a pool.
  /// @param size  number of resources, at least the most that are in use at one time
  explicit Packer(std::int64_t size);

  /// Returns the ranges of the next bar in increasing order, valid until the next call. A bar without length or width gets
  /// none.
  /// @param width  number of resources that the bar takes
  /// @pre starts do not decrease
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
  /// Free ranges, from -> to, none adjacent to another.
  std::map<std::int64_t, std::int64_t> free_;
  std::vector<Busy> busy_;  ///< bars that have not ended, a heap with the earliest end on top
  std::unordered_map<std::string, std::vector<ResourceRange>> last_;
  std::vector<ResourceRange> taken_;
};

/// A bar that takes `width` resources for some time.
struct WideBar {
  Interval when;           ///< the time that the bar lasts, in any unit
  std::int64_t width = 0;  ///< number of resources
};

/// Returns the largest number of resources that the bars take at one time. Resources that become free at an instant can be used
/// by a bar that starts at that instant.
[[nodiscard]] std::int64_t most_at_once(std::span<const WideBar> bars);

/// Returns the ranges as "0-3 7", with both ends included, as Batsim writes sets of resources.
/// @param first  a number that is added to each resource number
[[nodiscard]] std::string interval_set_text(std::span<const ResourceRange> ranges,
                                            std::int64_t first = 0);

}  // namespace holdfast
