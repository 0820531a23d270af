#include "holdfast/domains/capacity/placement/availability_profile.hpp"

#include "holdfast/domains/capacity/placement/at_least.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace holdfast::capacity {

void AvailabilityProfile::grow() {
  const std::size_t size = 2 * size_ + 2 * kBlock;
  times_.resize(size);
  free_.resize(size);
}

void AvailabilityProfile::reset(std::int64_t now, std::int64_t free) {
  if (times_.empty()) grow();
  begin_ = 0;
  last_found_ = 0;
  size_ = 1;
  times_[0] = now;
  free_[0] = static_cast<std::int32_t>(free);
}

void AvailabilityProfile::release(std::int64_t time, std::int64_t cores) {
  assert(time >= times_[size_ - 1]);
  const auto more = static_cast<std::int32_t>(cores);
  if (times_[size_ - 1] == time) {
    free_[size_ - 1] += more;
    return;
  }
  if (size_ + kBlock >= times_.size()) grow();
  times_[size_] = time;
  free_[size_] = free_[size_ - 1] + more;
  ++size_;
}

// The step in which a time lies.
std::size_t AvailabilityProfile::index_at(std::int64_t time) const {
  if (last_found_ < size_ && times_[last_found_] == time) return last_found_;
  // A binary search without a branch on the data, which could not be predicted.
  std::size_t first = begin_;
  for (std::size_t count = size_ - first; count > 1;) {
    const std::size_t half = count / 2;
    first = times_[first + half] <= time ? first + half : first;
    count -= half;
  }
  assert(times_[first] <= time);
  return first;
}

// Looks at one run of steps with enough free cores after another, up to the one that never ends.
AvailabilityProfile::Found AvailabilityProfile::earliest(std::int64_t from, std::int64_t cores,
                                                         std::int64_t length) const {
  std::int64_t needs = 0;
  std::size_t open = size_;  // begin of a run that goes on beyond its block; size_ if none does
  for (std::size_t base = index_at(from);; base += kBlock) {
    const std::size_t left = size_ - base;
    const std::size_t width = left > kBlock ? kBlock : 64;
    std::uint64_t steps = mask_at_least(free_.data() + base, static_cast<std::int32_t>(cores));
    if (left <= kBlock) steps |= ~std::uint64_t{0} << left;  // in the end all cores are free
    std::size_t at = 0;
    while (steps >> at != 0 || open < size_) {
      if (open == size_) at += static_cast<std::size_t>(std::countr_zero(steps >> at));
      const std::size_t begin = std::min(open, base + at);
      at += static_cast<std::size_t>(std::countr_one(steps >> at));
      open = size_;
      if (at == width && left > kBlock) {
        open = begin;
        break;
      }
      const std::int64_t start = std::max(from, times_[begin]);
      const std::int64_t stays = (base + at < size_ ? times_[base + at] : kNever) - start;
      if (stays >= length) {
        last_found_ = begin;
        return {start, needs};
      }
      needs = std::max(needs, stays + 1);
    }
  }
}

bool AvailabilityProfile::is_free(std::int64_t start, std::int64_t cores,
                                  std::int64_t length) const {
  for (std::size_t i = index_at(start); i < size_ && times_[i] < start + length; ++i) {
    if (free_[i] < cores) return false;
  }
  return true;
}

std::int64_t AvailabilityProfile::free_at(std::int64_t now) {
  while (begin_ + 1 < size_ && times_[begin_ + 1] <= now) ++begin_;
  constexpr std::size_t kMostPast = 64;
  if (begin_ > kMostPast) {
    std::copy(times_.begin() + static_cast<std::ptrdiff_t>(begin_),
              times_.begin() + static_cast<std::ptrdiff_t>(size_), times_.begin());
    std::copy(free_.begin() + static_cast<std::ptrdiff_t>(begin_),
              free_.begin() + static_cast<std::ptrdiff_t>(size_), free_.begin());
    size_ -= begin_;
    begin_ = 0;
  }
  return free_[begin_];
}

AvailabilityProfile::End AvailabilityProfile::end_of(std::int64_t cores, std::int64_t now) const {
  const std::int64_t all = free_[size_ - 1];
  std::int64_t taken = 0;
  std::int64_t good = all;
  std::size_t step = size_ - 1;
  for (; step > begin_ && free_[step - 1] >= cores && times_[step] > now; --step) {
    good = std::min<std::int64_t>(good, free_[step - 1]);
    taken += (all - good) * (times_[step] - std::max(now, times_[step - 1]));
  }
  return {std::max(now, times_[step]), taken};
}

void AvailabilityProfile::reserve(std::int64_t start, std::int64_t end, std::int64_t cores) {
  if (size_ + 2 + kBlock >= times_.size()) grow();
  std::int64_t* const times = times_.data();
  std::int32_t* const free = free_.data();
  std::size_t first = index_at(start);
  std::size_t last = first;  // the step in which the slot ends, seldom far away
  while (last + 1 < size_ && times[last + 1] <= end) ++last;
  const std::size_t splits_first = times[first] != start ? 1 : 0;
  const std::size_t splits_last = times[last] != end ? 1 : 0;
  // The new steps are inserted from the back, so that each step moves once.
  const auto move_up = [](auto* data, std::size_t from, std::size_t until, std::size_t by) {
    for (std::size_t i = until; by > 0 && i-- > from;) data[i + by] = data[i];
  };
  move_up(times, last + 1, size_, splits_first + splits_last);
  move_up(free, last + 1, size_, splits_first + splits_last);
  size_ += splits_first + splits_last;
  if (splits_last != 0) {
    times[last + splits_first + 1] = end;
    free[last + splits_first + 1] = free[last];
  }
  if (splits_first != 0) {
    move_up(times, first + 1, last + 1, 1);
    move_up(free, first, last + 1, 1);
    times[++first] = start;
    ++last;
  }
  const auto taken = static_cast<std::int32_t>(cores);
  for (std::size_t i = first; i < last + splits_last; ++i) {
    free[i] -= taken;
    assert(free[i] >= 0);
  }
}

}  // namespace holdfast::capacity
