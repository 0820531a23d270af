#include "holdfast/report/packing.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <tuple>

namespace holdfast {
namespace {

// How many free ranges are looked at for one that holds the whole bar.
constexpr int kLooked = 64;
// Names are remembered up to this many, so that a long schedule does not.
constexpr std::size_t kRemembered = 100'000;

}  // namespace

Packer::Packer(std::int64_t size) {
  if (size > 0) free_.emplace(0, size);
}

std::span<const ResourceRange> Packer::place(Interval when, std::int64_t width,
                                             std::string_view name) {
  taken_.clear();
  if (!(when.end > when.start) || width <= 0) return taken_;
  give_back(when.start);
  if (!take_again(name, width)) {
    auto best = free_.end();
    int looked = 0;
    for (auto it = free_.begin(); it != free_.end() && looked < kLooked; ++it, ++looked) {
      const std::int64_t length = it->second - it->first;
      if (length < width) continue;
      if (best == free_.end() || length < best->second - best->first) best = it;
      if (length == width) break;
    }
    if (best != free_.end()) {
      take(best->first, best->first + width);
    } else {
      while (width > 0 && !free_.empty()) {
        const auto [from, to] = *free_.begin();
        const std::int64_t part = std::min(width, to - from);
        take(from, from + part);
        width -= part;
      }
    }
  }
  busy_.push_back({when.end, taken_});
  std::push_heap(busy_.begin(), busy_.end(), std::greater<>());
  if (!name.empty() && (last_.size() < kRemembered || last_.contains(std::string(name)))) {
    last_[std::string(name)] = taken_;
  }
  return taken_;
}

void Packer::give_back(double now) {
  while (!busy_.empty() && busy_.front().end <= now) {
    std::pop_heap(busy_.begin(), busy_.end(), std::greater<>());
    for (const ResourceRange range : busy_.back().ranges) {
      auto after = free_.lower_bound(range.from);
      std::int64_t from = range.from;
      std::int64_t to = range.to;
      if (after != free_.end() && after->first == to) {
        to = after->second;
        after = free_.erase(after);
      }
      if (after != free_.begin() && std::prev(after)->second == from) {
        std::prev(after)->second = to;
      } else {
        free_.emplace_hint(after, from, to);
      }
    }
    busy_.pop_back();
  }
}

bool Packer::take_again(std::string_view name, std::int64_t width) {
  if (name.empty()) return false;
  const auto found = last_.find(std::string(name));
  if (found == last_.end()) return false;
  std::int64_t total = 0;
  for (const ResourceRange range : found->second) {
    const auto after = free_.upper_bound(range.from);
    if (after == free_.begin() || std::prev(after)->second < range.to) return false;
    total += range.to - range.from;
  }
  if (total != width) return false;
  for (const ResourceRange range : found->second) take(range.from, range.to);
  return true;
}

void Packer::take(std::int64_t from, std::int64_t to) {
  const auto block = std::prev(free_.upper_bound(from));
  const std::int64_t end = block->second;
  if (block->first == from) {
    free_.erase(block);
  } else {
    block->second = from;
  }
  if (to < end) free_.emplace(to, end);
  if (!taken_.empty() && taken_.back().to == from) {
    taken_.back().to = to;
  } else {
    taken_.push_back({from, to});
  }
}

std::vector<std::int64_t> most_at_once(const Timeline& timeline, const TimelineRoles& roles,
                                       std::span<const std::uint32_t> lane_of, std::size_t lanes) {
  const double last = extent_of(timeline, roles).end;
  struct Change {
    double time;
    std::int64_t width;  // below 0 where it is given back
    std::uint32_t lane;
  };
  std::vector<Change> changes;
  changes.reserve(2 * timeline.rows());
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    const Interval when = interval_of(timeline, roles, row, last);
    const auto width = static_cast<std::int64_t>(std::llround(width_of(timeline, roles, row)));
    if (!(when.end > when.start) || width <= 0) continue;
    changes.push_back({when.start, width, lane_of[row]});
    changes.push_back({when.end, -width, lane_of[row]});
  }
  // What ends at an instant is free for what starts then.
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tie(a.time, a.width) < std::tie(b.time, b.width);
  });
  std::vector<std::int64_t> now(lanes, 0);
  std::vector<std::int64_t> most(lanes, 0);
  for (const Change& change : changes) {
    now[change.lane] += change.width;
    most[change.lane] = std::max(most[change.lane], now[change.lane]);
  }
  return most;
}

}  // namespace holdfast
