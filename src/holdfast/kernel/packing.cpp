#include "holdfast/kernel/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>

namespace holdfast {
namespace {

// The number of free ranges that are examined for one that can hold the whole bar.
constexpr int kLooked = 64;
// The largest number of names that are remembered, so that memory use does not grow with the schedule.
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

std::int64_t most_at_once(std::span<const WideBar> bars) {
  struct Change {
    double time;
    std::int64_t width;  // negative if resources are given back
  };
  std::vector<Change> changes;
  changes.reserve(2 * bars.size());
  for (const WideBar& bar : bars) {
    if (!(bar.when.end > bar.when.start) || bar.width <= 0) continue;
    changes.push_back({bar.when.start, bar.width});
    changes.push_back({bar.when.end, -bar.width});
  }
  // Resources that become free at an instant can be used by a bar that starts then.
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tie(a.time, a.width) < std::tie(b.time, b.width);
  });
  std::int64_t now = 0;
  std::int64_t most = 0;
  for (const Change& change : changes) most = std::max(most, now += change.width);
  return most;
}

std::string interval_set_text(std::span<const ResourceRange> ranges, std::int64_t first) {
  std::string out;
  for (const ResourceRange range : ranges) {
    out += fmt::format("{}{}", out.empty() ? "" : " ", first + range.from);
    if (range.to > range.from + 1) out += fmt::format("-{}", first + range.to - 1);
  }
  return out;
}

}  // namespace holdfast
