#include "holdfast/domains/capacity/skyline.hpp"

#include "holdfast/domains/capacity/at_least.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace holdfast::capacity {
namespace {

/// Walks over steps by whether so many cores are free.
class Runs {
 public:
  Runs(const std::int32_t* free, std::size_t size, std::size_t first, std::int64_t cores)
      : free_{free}, size_{size}, base_{first}, cores_{static_cast<std::int32_t>(cores)} {
    bits_ = at_least(free_ + base_, cores_);
  }
  /// The first step at or after `from` where the cores are free, or are not; the number of steps where there is none.
  /// @pre `from` does not decrease
  std::size_t next(std::size_t from, bool is_free) {
    while (from < size_) {
      if (from - base_ >= kBlock) {
        base_ = from;
        bits_ = at_least(free_ + base_, cores_);
      }
      const std::uint32_t asked = (is_free ? bits_ : ~bits_) >> (from - base_);
      if (asked != 0) {
        return std::min(size_, from + static_cast<std::size_t>(std::countr_zero(asked)));
      }
      from = base_ + kBlock;
    }
    return size_;
  }

 private:
  const std::int32_t* free_;
  std::size_t size_;
  std::size_t base_;
  std::int32_t cores_;
  std::uint32_t bits_;
};

}  // namespace

void Skyline::grow() {
  const std::size_t size = 2 * size_ + 2 * kBlock;
  times_.resize(size);
  free_.resize(size);
}

void Skyline::reset(std::int64_t now, std::int64_t free) {
  if (times_.empty()) grow();
  begin_ = 0;
  last_found_ = 0;
  size_ = 1;
  times_[0] = now;
  free_[0] = static_cast<std::int32_t>(free);
}

void Skyline::release(std::int64_t time, std::int64_t cores) {
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
std::size_t Skyline::index_at(std::int64_t time) const {
  if (last_found_ < size_ && times_[last_found_] == time) return last_found_;
  return index_between(begin_, time);
}

std::size_t Skyline::index_between(std::size_t first, std::int64_t time) const {
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

std::int64_t Skyline::earliest(std::int64_t from, std::int64_t cores, std::int64_t length,
                               std::int64_t limit) const {
  return earliest_two(from, cores, length, length, limit).start;
}

Skyline::Starts Skyline::earliest_two(std::int64_t from, std::int64_t cores, std::int64_t shorter,
                                      std::int64_t length, std::int64_t limit,
                                      std::int64_t not_before) const {
  if (from >= limit) return {limit, limit};
  std::size_t step = index_at(from);
  Runs runs(free_.data(), size_, step, cores);
  std::int64_t first = limit;
  for (;;) {
    step = runs.next(step, true);
    assert(step < size_ && "all cores are free in the end");
    const std::int64_t start = std::max(from, times_[step]);
    if (start >= limit) return {first, limit};
    const std::size_t end = runs.next(step, false);
    const bool is_last = end == size_;
    if (first == limit && (is_last || times_[end] - start >= shorter)) first = start;
    const std::int64_t late = std::max(start, not_before);
    if (is_last || times_[end] - late >= length) {
      last_found_ = step;
      return {first, std::min(late, limit)};
    }
    step = end;
  }
}

Skyline::Stay Skyline::longest_from(std::int64_t from, std::int64_t until,
                                    std::int64_t cores) const {
  std::size_t step = index_between(begin_, from);
  Runs runs(free_.data(), size_, step, cores);
  Stay stay{0, until};
  for (;;) {
    step = runs.next(step, true);
    if (step == size_) return stay;
    const std::int64_t start = std::max(from, times_[step]);
    if (start >= until) return stay;
    step = runs.next(step, false);
    if (step == size_) return {kNever, kNever};
    stay = {std::max(stay.longest, times_[step] - start), std::max(stay.end, times_[step])};
  }
}

std::int64_t Skyline::free_at(std::int64_t now) {
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

std::int64_t Skyline::free_for_good(std::int64_t cores) const {
  std::size_t step = size_ - 1;
  while (step > begin_ && free_[step - 1] >= cores) --step;
  return times_[step];
}

void Skyline::add_to(Tail& tail, std::int64_t width) const {
  struct Kept {
    std::int64_t time;
    std::int64_t places;  // for good
  };
  std::int64_t good = free_[size_ - 1];
  std::vector<Kept> kept;  // later ones first
  for (std::size_t i = size_; i-- > begin_;) {
    good = std::min<std::int64_t>(good, free_[i]);
    const std::int64_t places = width > 0 ? good / width : good;
    if (!kept.empty() && kept.back().places == places) kept.pop_back();
    kept.push_back({times_[i], places});
  }
  const std::int64_t unit = width > 0 ? width : 1;
  std::int64_t before = 0;
  for (auto step = kept.rbegin(); step != kept.rend(); ++step) {
    if (step->places > before) tail.add(step->time, unit * (step->places - before));
    before = step->places;
  }
}

void Skyline::reserve(std::int64_t start, std::int64_t end, std::int64_t cores) {
  std::size_t first = index_at(start);
  std::size_t last = index_between(first, end);
  // The new steps are put in from the back, so that each step moves once.
  const bool splits_last = times_[last] != end;
  const bool splits_first = times_[first] != start;
  const std::size_t added = (splits_first ? 1U : 0U) + (splits_last ? 1U : 0U);
  if (added > 0) {
    if (size_ + added + kBlock >= times_.size()) grow();
    const auto move = [&](auto* data, auto at_start, auto at_end) {
      std::copy_backward(data + last + 1, data + size_, data + size_ + added);
      if (splits_last) data[last + added] = at_end;
      if (!splits_first) return;
      std::copy_backward(data + first + 1, data + last + 1, data + last + 2);
      data[first + 1] = at_start;
    };
    move(free_.data(), free_[first], free_[last]);
    move(times_.data(), start, end);
    size_ += added;
    if (splits_first) ++first, ++last;
  }
  const std::size_t until = splits_last ? last + 1 : last;
  const auto taken = static_cast<std::int32_t>(cores);
  for (std::size_t i = first; i < until; ++i) {
    free_[i] -= taken;
    assert(free_[i] >= 0);
  }
}

}  // namespace holdfast::capacity
