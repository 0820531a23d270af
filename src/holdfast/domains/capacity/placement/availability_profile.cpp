#include "holdfast/domains/capacity/placement/availability_profile.hpp"

#include "holdfast/domains/capacity/placement/at_least.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace holdfast::capacity {
namespace {

/// Calls `is_last(begin, end)` for one run of steps with so many cores free after another, those at or after `first`,
/// until it returns true; at the run that never ends, whose end is the number of all steps, it must.
template <typename IsLast>
void each_opening(const std::vector<std::int32_t>& free, std::size_t size, std::size_t first,
                  std::int64_t cores, IsLast&& is_last) {
  std::size_t open = size;  // where the run begins that goes on beyond a block
  for (std::size_t base = first; base < size; base += kBlock) {
    const std::size_t left = size - base;
    const std::size_t width = left > kBlock ? kBlock : 64;
    std::uint64_t steps = mask_at_least(free.data() + base, static_cast<std::int32_t>(cores));
    if (left <= kBlock) steps |= ~std::uint64_t{0} << left;  // in the end all cores are free
    std::size_t at = 0;
    while (steps >> at != 0 || open < size) {
      if (open == size) at += static_cast<std::size_t>(std::countr_zero(steps >> at));
      const std::size_t begin = std::min(open, base + at);
      at += static_cast<std::size_t>(std::countr_one(steps >> at));
      open = size;
      if (at == width && left > kBlock) {
        open = begin;
        break;
      }
      if (is_last(begin, std::min(size, base + at))) return;
    }
  }
}

}  // namespace

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
  return index_between(begin_, time);
}

std::size_t AvailabilityProfile::index_between(std::size_t first, std::int64_t time) const {
  // By halves without a branch on the data: what is searched is as good as random.
  std::size_t count = size_ - first;
  while (count > 1) {
    const std::size_t half = count / 2;
    first = times_[first + half] <= time ? first + half : first;
    count -= half;
  }
  assert(times_[first] <= time);
  return first;
}

std::int64_t AvailabilityProfile::earliest(std::int64_t from, std::int64_t cores,
                                           std::int64_t length, std::int64_t limit) const {
  if (from >= limit) return limit;
  std::int64_t found = limit;
  each_opening(free_, size_, index_at(from), cores, [&](std::size_t begin, std::size_t end) {
    const std::int64_t start = std::max(from, times_[begin]);
    if (start >= limit) return true;
    if ((end == size_ ? kNever : times_[end]) - start < length) return false;
    last_found_ = begin;
    found = start;
    return true;
  });
  return found;
}

AvailabilityProfile::Starts AvailabilityProfile::earliest_two(std::int64_t from, std::int64_t cores,
                                                              std::int64_t shorter,
                                                              std::int64_t length,
                                                              std::int64_t not_before) const {
  Starts found{kNever, kNever};
  each_opening(free_, size_, index_at(from), cores, [&](std::size_t begin, std::size_t end) {
    const std::int64_t start = std::max(from, times_[begin]);
    const std::int64_t until = end == size_ ? kNever : times_[end];
    if (found.shorter == kNever && until - start >= shorter) found.shorter = start;
    const std::int64_t late = std::max(start, not_before);
    if (until - late < length) return false;
    last_found_ = begin;
    found.start = late;
    return true;
  });
  return found;
}

AvailabilityProfile::First AvailabilityProfile::first_from(std::int64_t from, std::int64_t cores,
                                                           std::int64_t length) const {
  First found{kNever, 0};
  each_opening(free_, size_, index_at(from), cores, [&](std::size_t begin, std::size_t end) {
    const std::int64_t start = std::max(from, times_[begin]);
    const std::int64_t stays = (end == size_ ? kNever : times_[end]) - start;
    if (stays < length) {
      found.needs = std::max(found.needs, stays + 1);
      return false;
    }
    last_found_ = begin;
    found.start = start;
    return true;
  });
  return found;
}

AvailabilityProfile::FreeTime AvailabilityProfile::longest_from(std::int64_t from,
                                                                std::int64_t until,
                                                                std::int64_t cores) const {
  FreeTime free_time{0, until};
  const std::size_t first = index_between(begin_, from);
  each_opening(free_, size_, first, cores, [&](std::size_t begin, std::size_t end) {
    const std::int64_t start = std::max(from, times_[begin]);
    if (start >= until) return true;
    if (end == size_) {
      free_time = {kNever, kNever};
      return true;
    }
    free_time = {std::max(free_time.longest, times_[end] - start),
                 std::max(free_time.end, times_[end])};
    return false;
  });
  return free_time;
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

AvailabilityProfile::First AvailabilityProfile::take_first(std::int64_t from, std::int64_t cores,
                                                           std::int64_t length) {
  const First found = first_from(from, cores, length);
  reserve_from(last_found_, found.start, found.start + length, cores);
  return found;
}

void AvailabilityProfile::reserve(std::int64_t start, std::int64_t end, std::int64_t cores) {
  reserve_from(index_at(start), start, end, cores);
}

// Takes cores on [start, end), which begins in the step `first`.
void AvailabilityProfile::reserve_from(std::size_t first, std::int64_t start, std::int64_t end,
                                       std::int64_t cores) {
  if (size_ + 2 + kBlock >= times_.size()) grow();
  std::int64_t* const times = times_.data();
  std::int32_t* const free = free_.data();
  std::size_t last = first;  // the step in which it ends: seldom far
  while (last + 1 < size_ && times[last + 1] <= end) ++last;
  const std::size_t splits_first = times[first] != start ? 1 : 0;
  const std::size_t splits_last = times[last] != end ? 1 : 0;
  // The new steps are put in from the back, so that each step moves once.
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
