#include "holdfast/domains/capacity/goodput_bound.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace holdfast::capacity {
namespace {

// Core-seconds of the machines alive from a date to the window's end, for dates that come in increasing order.
class CapacityLeft {
 public:
  explicit CapacityLeft(const Instance& instance)
      : instance_{instance}, spans_{instance.alive_spans()} {
    for (const AliveSpan& span : spans_) left_ += of(span, span.begin);
  }

  // Returns the capacity from `date` on. @pre it is in the window, and not before the date of the last call
  std::int64_t from(std::int64_t date) {
    for (; spans_[at_].end < date; ++at_) left_ -= of(spans_[at_], spans_[at_].begin);
    return left_ - of(spans_[at_], spans_[at_].begin) + of(spans_[at_], date);
  }

 private:
  [[nodiscard]] std::int64_t of(const AliveSpan& span, std::int64_t from) const {
    return instance_.cores_on(span.machines) * (span.end - from);
  }

  const Instance& instance_;
  std::vector<AliveSpan> spans_;
  std::size_t at_ = 0;     // span of the date
  std::int64_t left_ = 0;  // from the begin of that span on
};

}  // namespace

std::int64_t useful_bound(const Instance& instance, std::span<const Task> tasks) {
  CapacityLeft capacity(instance);
  std::int64_t best = capacity.from(instance.begin);
  std::int64_t arrived = 0;  // work of earlier jobs, as far as it fits in the window
  for (const Task& task : tasks) {
    const std::int64_t arrival = std::clamp(task.arrival, instance.begin, instance.end);
    best = std::min(best, arrived + capacity.from(arrival));
    arrived += task.cores * std::min(task.length, instance.end - arrival);
  }
  return std::min(best, arrived);
}

}  // namespace holdfast::capacity
