#pragma once

#include <cstdint>
#include <vector>

namespace holdfast::capacity {

/// The latest that jobs can be delayed on machines, each job starting as soon as it can after those before it: at any
/// time from some instant on, at least so many cores are free for good. Taking the cores that are free first and giving
/// them back a job's length later keeps that true, whenever the job does start.
class Tail {
 public:
  void clear() { free_.clear(); }
  /// That many cores more are free for good from `time` on. Times need not be in order.
  void add(std::int64_t time, std::int64_t cores);
  /// From when so many cores are free for good; the largest number where there are never so many.
  [[nodiscard]] std::int64_t free_from(std::int64_t cores) const;
  /// A job that starts no later than free_from(cores), and runs for `length`.
  void take(std::int64_t cores, std::int64_t length);

 private:
  struct Step {
    std::int64_t time;
    std::int64_t cores;
  };
  std::vector<Step> free_;  // by time
};

}  // namespace holdfast::capacity
