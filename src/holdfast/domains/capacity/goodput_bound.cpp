#include "holdfast/domains/capacity/goodput_bound.hpp"

#include <algorithm>

namespace holdfast::capacity {
namespace {

// Core-seconds of the machines alive from a date to the window's end, for dates that come in increasing order.
class CapacityLeft {
 public:
  explicit CapacityLeft(const Instance& instance) : instance_{instance}, now_{instance.begin} {
    while (next_ < instance.alive.size() && instance.alive[next_].time <= now_) ++next_;
    CapacityLeft rest = *this;
    rest.walk_to(instance.end);
    left_ = -rest.left_;
  }

  // The capacity after `date`. @pre not before the date asked for last
  std::int64_t from(std::int64_t date) {
    walk_to(date);
    return left_;
  }

 private:
  void walk_to(std::int64_t date) {
    while (now_ < date) {
      const bool has_step = next_ < instance_.alive.size() && instance_.alive[next_].time < date;
      const std::int64_t until = has_step ? instance_.alive[next_].time : date;
      left_ -= instance_.alive_at(now_) * instance_.cores * (until - now_);
      now_ = until;
      if (has_step) ++next_;
    }
  }

  const Instance& instance_;
  std::int64_t now_;
  std::int64_t left_ = 0;
  std::size_t next_ = 0;  // step after now_
};

}  // namespace

std::int64_t useful_bound(const Instance& instance, std::span<const Task> tasks) {
  CapacityLeft capacity(instance);
  std::int64_t best = capacity.from(instance.begin);
  std::int64_t arrived = 0;  // work of the jobs before, as far as it has room
  for (const Task& task : tasks) {
    const std::int64_t arrival = std::clamp(task.arrival, instance.begin, instance.end);
    best = std::min(best, arrived + capacity.from(arrival));
    arrived += task.cores * std::min(task.length, instance.end - arrival);
  }
  return std::min(best, arrived);
}

}  // namespace holdfast::capacity
