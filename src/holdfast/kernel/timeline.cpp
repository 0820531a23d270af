#include "holdfast/kernel/timeline.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace holdfast {
namespace {

// Rows without a start (an empty cell) come last.
double start_of(const TimelineCell& cell) {
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  return std::numeric_limits<double>::infinity();
}

constexpr auto kRoles =
    std::to_array<std::string_view>({"plain", "lane", "label", "state", "start", "end", "width",
                                     "stack", "mark", "lost", "release", "rate"});

}  // namespace

std::string_view name(Role role) {
  return kRoles[static_cast<std::size_t>(role)];
}

std::string_view Timeline::intern(std::string_view text) {
  if (const auto found = interned_.find(text); found != interned_.end()) return found->second;
  const std::string_view kept = texts_.emplace_back(text);  // a deque never moves its elements
  interned_.emplace(kept, kept);
  return kept;
}

void Timeline::sort_by_start() {
  const auto column = std::find_if(columns_.begin(), columns_.end(),
                                   [](const auto& c) { return c.role == Role::start; });
  if (column == columns_.end()) return;
  const auto offset = static_cast<std::size_t>(column - columns_.begin());
  const std::size_t width = columns_.size();

  std::vector<std::size_t> order(rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return start_of(cells_[a * width + offset]) < start_of(cells_[b * width + offset]);
  });
  std::vector<TimelineCell> sorted;
  sorted.reserve(cells_.size());
  for (const std::size_t index : order) {
    const auto cells = row(index);
    sorted.insert(sorted.end(), cells.begin(), cells.end());
  }
  cells_ = std::move(sorted);
}

}  // namespace holdfast
