#include "holdfast/domains/capacity/placement/openings.hpp"

#include <algorithm>

namespace holdfast::capacity {

Openings::Openings(const StartBounds& classes, std::span<const AvailabilityProfile> availabilities)
    : classes_{classes}, availability_{availabilities} {}

void Openings::open(std::int64_t from, std::int64_t until, std::int64_t used,
                    std::int64_t distance) {
  from_ = from;
  until_ = until;
  used_ = static_cast<std::size_t>(used);
  distance_ = static_cast<std::size_t>(distance);
  const std::size_t machines = availability_.size();
  if (by_class_.empty()) {
    by_class_.assign(classes_.core_classes(),
                     {.longest = std::vector<std::int32_t>(machines + kBlock, kLongest),
                      .end = std::vector<std::int64_t>(machines, kNever),
                      .stale = {},
                      .is_stale = std::vector<char>(machines, 0),
                      .longest_of_all = kLongest});
  }
  for (std::size_t m = 0; m < machines; ++m) forget(static_cast<std::int64_t>(m));
}

void Openings::forget(std::int64_t machine) {
  const auto m = static_cast<std::size_t>(machine);
  for (OfClass& of : by_class_) {
    of.longest[m] = kLongest;
    of.end[m] = kNever;
    of.longest_of_all = kLongest;
  }
  touch(machine, from_);
}

void Openings::refresh(std::size_t of_class) {
  OfClass& of = by_class_[of_class];
  const std::int64_t cores = classes_.least_cores(of_class);
  for (const std::size_t m : of.stale) {
    const AvailabilityProfile::FreeTime free_time =
        availability_[m].longest_from(from_, until_, cores);
    of.is_stale[m] = 0;
    of.longest[m] = clip(free_time.longest);
    of.end[m] = std::max(until_, free_time.end);
  }
  of.stale.clear();
  of.longest_of_all =
      used_ == 0 ? 0 : *std::max_element(of.longest.data(), of.longest.data() + used_);
}

bool Openings::is_open_near(const OfClass& of, std::int64_t machine, std::int32_t length) const {
  const auto at = static_cast<std::size_t>(machine);
  const std::size_t until = std::min(used_, at + distance_ + 1);
  for (std::size_t m = at > distance_ ? at - distance_ : 0; m < until; m += kBlock) {
    std::uint32_t open = mask_at_least(of.longest.data() + m, length);
    if (until - m < kBlock) open &= (1U << (until - m)) - 1;
    if (open != 0) return true;
  }
  return false;
}

}  // namespace holdfast::capacity
