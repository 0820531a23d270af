#include "holdfast/domains/capacity/skyline.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast::capacity {

void Skyline::reset(std::int64_t now, std::int64_t free) {
  steps_.clear();
  begin_ = 0;
  steps_.push_back({now, free});
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
std::size_t Skyline::index_at(std::int64_t time) const {
  // By halves without a branch on the data: what is searched is as good as random.
  std::size_t first = begin_;
  std::size_t count = steps_.size() - begin_;
  while (count > 1) {
    const std::size_t half = count / 2;
    first = steps_[first + half].time <= time ? first + half : first;
    count -= half;
  }
  assert(steps_[first].time <= time);
  return first;
}

std::int64_t Skyline::earliest(std::int64_t from, std::int64_t cores, std::int64_t length,
                               std::int64_t limit) const {
  return earliest_two(from, cores, length, length, limit).start;
}

Skyline::Starts Skyline::earliest_two(std::int64_t from, std::int64_t cores, std::int64_t shorter,
                                      std::int64_t length, std::int64_t limit) const {
  std::int64_t start = from;
  if (start >= limit) return {limit, limit};
  const Step* const last = steps_.data() + steps_.size() - 1;
  const Step* step = steps_.data() + index_at(start);
  for (; step != last; ++step) {
    const std::int64_t until = step[1].time;
    if (step->free < cores) {
      start = until;
      if (start >= limit) return {limit, limit};
    } else if (until - start >= shorter) {
      break;
    }
  }
  const std::int64_t first = start;
  for (; step != last; ++step) {
    const std::int64_t until = step[1].time;
    if (step->free < cores) {
      start = until;
      if (start >= limit) return {first, limit};
    } else if (until - start >= length) {
      return {first, start};
    }
  }
  assert(last->free >= cores && "all cores are free in the end");
  return {first, start};
}

std::int64_t Skyline::free_at(std::int64_t now) {
  while (begin_ + 1 < steps_.size() && steps_[begin_ + 1].time <= now) ++begin_;
  constexpr std::size_t kMostPast = 64;
  if (begin_ > kMostPast) {
    steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
  return steps_[begin_].free;
}

void Skyline::add_to(Tail& tail, std::int64_t width) const {
  std::int64_t good = steps_.back().free;
  std::vector<Step> kept;  // later ones first; free: for good
  for (std::size_t i = steps_.size(); i-- > begin_;) {
    good = std::min(good, steps_[i].free);
    const std::int64_t places = width > 0 ? good / width : good;
    if (!kept.empty() && kept.back().free == places) kept.pop_back();
    kept.push_back({steps_[i].time, places});
  }
  const std::int64_t unit = width > 0 ? width : 1;
  std::int64_t before = 0;
  for (auto step = kept.rbegin(); step != kept.rend(); ++step) {
    if (step->free > before) tail.add(step->time, unit * (step->free - before));
    before = step->free;
  }
}

void Skyline::reserve(std::int64_t start, std::int64_t end, std::int64_t cores) {
  std::size_t first = index_at(start);
  std::size_t last = index_at(end);
  // The new steps are put in from the back, so that each step moves once.
  const bool splits_last = steps_[last].time != end;
  const bool splits_first = steps_[first].time != start;
  const std::size_t added = (splits_first ? 1U : 0U) + (splits_last ? 1U : 0U);
  const std::int64_t first_free = steps_[first].free;
  const std::int64_t last_free = steps_[last].free;
  if (added > 0) {
    const std::size_t size = steps_.size();
    steps_.resize(size + added);
    Step* const data = steps_.data();
    std::copy_backward(data + last + 1, data + size, data + size + added);
    if (splits_last) data[last + added] = {end, last_free};
    if (splits_first) {
      std::copy_backward(data + first + 1, data + last + 1, data + last + 2);
      data[first + 1] = {start, first_free};
      ++first;
      ++last;
    }
  }
  const std::size_t until = splits_last ? last + 1 : last;
  for (std::size_t i = first; i < until; ++i) {
    steps_[i].free -= cores;
    assert(steps_[i].free >= 0);
  }
}

}  // namespace holdfast::capacity
