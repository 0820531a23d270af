#include "holdfast/domains/capacity/placement/tail.hpp"

#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast::capacity {

void Tail::add(std::int64_t time, std::int64_t cores) {
  const auto after =
      std::upper_bound(free_.begin(), free_.end(), time,
                       [](std::int64_t t, const Step& step) { return t < step.time; });
  free_.insert(after, {time, cores});
}

std::int64_t Tail::free_from(std::int64_t cores) const {
  for (const Step& step : free_) {
    cores -= step.cores;
    if (cores <= 0) return step.time;
  }
  return kNever;
}

void Tail::take(std::int64_t cores, std::int64_t length) {
  const std::int64_t start = free_from(cores);
  assert(start != kNever);
  std::size_t taken = 0;
  for (std::int64_t left = cores; left > 0;) {
    const std::int64_t here = std::min(left, free_[taken].cores);
    free_[taken].cores -= here;
    left -= here;
    if (free_[taken].cores == 0) ++taken;
  }
  free_.erase(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(taken));
  // What is left of the last step taken from is free for good only while the job does not run.
  add(start + length, cores);
}

}  // namespace holdfast::capacity
