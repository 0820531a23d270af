#include "holdfast/domains/capacity/skyline.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast::capacity {

void Skyline::reset(std::int64_t now, std::int64_t free) {
  steps_.clear();
  begin_ = 0;
  steps_.push_back({now, free});
  std::fill(first_free_.begin(), first_free_.end(), std::numeric_limits<std::int64_t>::min());
}

void Skyline::release(std::int64_t time, std::int64_t cores) {
  assert(time >= steps_.back().time);
  if (steps_.back().time == time) {
    steps_.back().free += cores;
  } else {
    steps_.push_back({time, steps_.back().free + cores});
  }
}

// The step in which a time lies.
std::size_t Skyline::index_at(std::int64_t time) {
  const auto begin = steps_.begin() + static_cast<std::ptrdiff_t>(begin_);
  const auto after = std::upper_bound(
      begin, steps_.end(), time, [](std::int64_t t, const Step& step) { return t < step.time; });
  assert(after != begin);
  return static_cast<std::size_t>(after - steps_.begin()) - 1;
}

std::int64_t Skyline::earliest(std::int64_t now, std::int64_t cores, std::int64_t length,
                               std::int64_t limit) {
  while (begin_ + 1 < steps_.size() && steps_[begin_ + 1].time <= now) ++begin_;
  std::int64_t& first = first_free_[static_cast<std::size_t>(cores)];
  std::int64_t start = std::max(now, first);
  bool is_first = true;
  for (std::size_t i = index_at(start); start < limit; ++i) {
    const bool is_last = i + 1 == steps_.size();
    if (steps_[i].free < cores) {
      assert(!is_last && "all cores are free in the end");
      start = steps_[i + 1].time;
      continue;
    }
    if (is_first) first = start;
    is_first = false;
    if (is_last || steps_[i + 1].time >= start + length) return start;
  }
  return limit;
}

bool Skyline::is_free(std::int64_t now, std::int64_t cores, std::int64_t length) {
  return earliest(now, cores, length, now + 1) == now;
}

std::size_t Skyline::split(std::int64_t time) {
  const std::size_t i = index_at(time);
  if (steps_[i].time == time) return i;
  steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(i) + 1, {time, steps_[i].free});
  return i + 1;
}

void Skyline::reserve(std::int64_t start, std::int64_t end, std::int64_t cores) {
  const std::size_t first = split(start);
  const std::size_t last = split(end);
  for (std::size_t i = first; i < last; ++i) {
    steps_[i].free -= cores;
    assert(steps_[i].free >= 0);
  }
}

}  // namespace holdfast::capacity
