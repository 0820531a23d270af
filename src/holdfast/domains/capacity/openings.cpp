#include "holdfast/domains/capacity/openings.hpp"

#include <algorithm>
#include <limits>

namespace holdfast::capacity {

Openings::Openings(const StartBounds& classes, std::span<const Skyline> skylines)
    : classes_{classes},
      skylines_{skylines},
      longest_(classes.core_classes() * skylines.size(), 0),
      near_(longest_.size(), 0),
      line_(skylines.size(), 0),
      end_(skylines.size(), kNever),
      is_stale_(skylines.size(), 0) {}

void Openings::open(std::int64_t from, std::int64_t until, std::int64_t used,
                    std::int64_t distance) {
  from_ = from;
  until_ = until;
  used_ = static_cast<std::size_t>(used);
  distance_ = static_cast<std::size_t>(distance);
  for (std::size_t m = 0; m < skylines_.size(); ++m) {
    end_[m] = kNever;
    touch(static_cast<std::int64_t>(m), from);
  }
}

void Openings::refresh() {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const std::size_t m : stale_) {
    is_stale_[m] = 0;
    end_[m] = until_;
    for (std::size_t k = 0; k < classes_.core_classes(); ++k) {
      const Skyline::Stay stay = skylines_[m].longest_from(from_, until_, classes_.least_cores(k));
      longest_[k * skylines_.size() + m] = static_cast<std::int32_t>(std::min(stay.longest, kMost));
      end_[m] = std::max(end_[m], stay.end);
    }
  }
  stale_.clear();
  for (std::size_t k = 0; k < classes_.core_classes(); ++k) {
    find_near(longest_.data() + k * skylines_.size(), near_.data() + k * skylines_.size());
  }
}

// The largest of each window: those that could still be the largest of a later one wait in line, largest first.
void Openings::find_near(const std::int32_t* longest, std::int32_t* near) {
  std::size_t first = 0, count = 0, next = 0;
  for (std::size_t m = 0; m < used_; ++m) {
    for (; next < used_ && next <= m + distance_; ++next) {
      while (count > first && longest[line_[count - 1]] <= longest[next]) --count;
      line_[count++] = next;
    }
    while (line_[first] + distance_ < m) ++first;
    near[m] = longest[line_[first]];
  }
}

}  // namespace holdfast::capacity
