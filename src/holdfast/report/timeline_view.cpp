#include "holdfast/report/timeline_view.hpp"

#include "holdfast/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <queue>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace holdfast {
namespace {

// An assignment of tracks: overlapping intervals of one lane get different ones, always the lowest that is free.
class TrackKeeper {
 public:
  std::uint32_t place(Interval interval) {
    while (!busy_.empty() && busy_.top().first <= interval.start) {
      free_.push(busy_.top().second);
      busy_.pop();
    }
    std::uint32_t track = count_;
    if (free_.empty()) {
      ++count_;
    } else {
      track = free_.top();
      free_.pop();
    }
    busy_.emplace(interval.end, track);
    return track;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  template <class T>
  using LowestFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;
  LowestFirst<std::pair<double, std::uint32_t>> busy_;
  LowestFirst<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

// Returns a whole number, also from a text, because ids are texts.
std::optional<std::int64_t> number_of(const TimelineCell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
  const auto* text = std::get_if<std::string_view>(&cell);
  if (text == nullptr || text->empty()) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return number;
}

// The lanes' names and, for each row and then for each interval of unavailability, the position of its lane.
struct LaneNames {
  std::vector<std::string> names;
  std::vector<std::uint32_t> positions;
  bool all_integers = true;
  std::vector<std::int64_t> numbers;
};

LaneNames name_lanes(const Timeline& timeline, std::size_t column) {
  LaneNames lanes;
  const std::size_t rows = timeline.rows();
  const std::size_t cells = rows + timeline.unavailable().size();
  lanes.positions.reserve(cells);
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::size_t i = 0; i < cells; ++i) {
    const TimelineCell& cell =
        i < rows ? timeline.row(i)[column] : timeline.unavailable()[i - rows].lane;
    const auto [entry, is_new] =
        known.try_emplace(cell_text(cell), static_cast<std::uint32_t>(lanes.names.size()));
    if (is_new) {
      lanes.names.push_back(entry->first);
      const std::optional<std::int64_t> number = number_of(cell);
      lanes.all_integers = lanes.all_integers && number;
      lanes.numbers.push_back(number.value_or(0));
    }
    lanes.positions.push_back(entry->second);
  }
  return lanes;
}

void sort_by_number(LaneNames& lanes) {
  std::vector<std::uint32_t> order(lanes.names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&lanes](std::uint32_t a, std::uint32_t b) {
    return lanes.numbers[a] < lanes.numbers[b];
  });
  std::vector<std::uint32_t> place(order.size());
  std::vector<std::string> names(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    names[i] = std::move(lanes.names[order[i]]);
  }
  lanes.names = std::move(names);
  for (std::uint32_t& lane : lanes.positions) lane = place[lane];
}

}  // namespace

TimelineRoles find_roles(const Timeline& timeline) {
  TimelineRoles roles;
  const auto note = [](std::optional<std::size_t>& place, std::size_t column) {
    if (!place) place = column;
  };
  const auto columns = timeline.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    switch (columns[i].role) {
      case Role::lane:
        note(roles.lane, i);
        break;
      case Role::label:
        note(roles.label, i);
        break;
      case Role::state:
        note(roles.state, i);
        break;
      case Role::start:
        note(roles.start, i);
        break;
      case Role::end:
        note(roles.end, i);
        break;
      case Role::stack:
        roles.stacked = roles.stacked || !roles.lane;
        note(roles.lane, i);
        break;
      case Role::width:
        note(roles.width, i);
        break;
      case Role::mark:
        note(roles.mark, i);
        break;
      case Role::lost:
        note(roles.lost, i);
        break;
      case Role::release:
        note(roles.release, i);
        break;
      case Role::rate:
        note(roles.rate, i);
        break;
      case Role::plain:
        break;
    }
  }
  return roles;
}

std::string cell_text(const TimelineCell& cell) {
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&cell)) return to_text(*number);
  if (const auto* text = std::get_if<std::string_view>(&cell)) return std::string(*text);
  return {};
}

std::optional<double> cell_number(const TimelineCell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return std::nullopt;
}

Value cell_value(const TimelineCell& cell) {
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* text = std::get_if<std::string_view>(&cell)) return *text;
  return nullptr;
}

Interval interval_of(const Timeline& timeline, const TimelineRoles& roles, std::size_t row,
                     double last) {
  const auto cells = timeline.row(row);
  Interval interval;
  if (roles.start) interval.start = cell_number(cells[*roles.start]).value_or(0);
  interval.end = interval.start;
  if (roles.end) interval.end = cell_number(cells[*roles.end]).value_or(last);
  interval.end = std::max(interval.end, interval.start);
  return interval;
}

Interval extent_of(const Timeline& timeline, const TimelineRoles& roles) {
  Interval extent;
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    const Interval one = interval_of(timeline, roles, row, extent.end);
    extent.start = row == 0 ? one.start : std::min(extent.start, one.start);
    extent.end = row == 0 ? one.end : std::max(extent.end, one.end);
  }
  return extent;
}

std::string state_of(const Timeline& timeline, const TimelineRoles& roles, std::size_t row) {
  const auto cells = timeline.row(row);
  const auto is_set = [&cells](std::size_t column) {
    const auto* flag = std::get_if<bool>(&cells[column]);
    return flag != nullptr && *flag;
  };
  if (roles.lost && is_set(*roles.lost)) return "lost";
  if (!roles.state) return roles.lost ? "kept" : "";
  const TimelineCell& cell = cells[*roles.state];
  if (std::holds_alternative<bool>(cell)) return is_set(*roles.state) ? "lost" : "kept";
  std::string own = cell_text(cell);
  // A count needs the name of its column: "failures: 2".
  if (cell_number(cell)) own = std::string(timeline.columns()[*roles.state].name) + ": " + own;
  if (own == "completed" || (roles.lost && own == "work")) return "kept";
  if (own == "killed") return "lost";
  return own;
}

std::string word_of(const Timeline& timeline, const TimelineRoles& roles, std::size_t row) {
  if (roles.state) {
    const TimelineCell& cell = timeline.row(row)[*roles.state];
    if (std::holds_alternative<std::string_view>(cell)) return cell_text(cell);
  }
  return state_of(timeline, roles, row);
}

double width_of(const Timeline& timeline, const TimelineRoles& roles, std::size_t row) {
  return roles.width ? cell_number(timeline.row(row)[*roles.width]).value_or(1) : 1;
}

bool is_marked(const Timeline& timeline, const TimelineRoles& roles, std::size_t row) {
  if (!roles.mark) return false;
  const auto* flag = std::get_if<bool>(&timeline.row(row)[*roles.mark]);
  return flag != nullptr && *flag;
}

LaneLayout lay_out(const Timeline& timeline, const TimelineRoles& roles) {
  LaneNames lanes;
  if (roles.lane) {
    lanes = name_lanes(timeline, *roles.lane);
    if (lanes.all_integers) sort_by_number(lanes);
  } else {
    lanes.names.emplace_back();
    lanes.positions.assign(timeline.rows(), 0);
  }
  const double last = extent_of(timeline, roles).end;
  std::vector<TrackKeeper> keepers(lanes.names.size());
  LaneLayout layout;
  layout.track_of.reserve(timeline.rows());
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    const Interval when = interval_of(timeline, roles, row, last);
    const bool is_instant = !(when.end > when.start);  // it is marked above the first track
    layout.track_of.push_back(is_instant ? 0 : keepers[lanes.positions[row]].place(when));
  }
  for (const TrackKeeper& keeper : keepers) layout.tracks.push_back(keeper.count());
  // Also a lane of which only instants are known.
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    std::uint32_t& tracks = layout.tracks[lanes.positions[row]];
    tracks = std::max(tracks, 1U);
  }
  layout.has_absences.assign(lanes.names.size(), false);
  for (std::size_t i = timeline.rows(); i < lanes.positions.size(); ++i) {
    layout.has_absences[lanes.positions[i]] = true;
  }
  layout.names = std::move(lanes.names);
  layout.lane_of = std::move(lanes.positions);
  return layout;
}

}  // namespace holdfast
