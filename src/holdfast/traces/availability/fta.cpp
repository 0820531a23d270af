#include "holdfast/base/text.hpp"
#include "holdfast/traces/availability/interval_history.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

namespace holdfast {
namespace {

enum FtaColumn : std::size_t { kComponent, kNode, kType, kStart, kStop };
constexpr auto kFtaFields =
    std::to_array<TableField>({{.name = "component_id"},
                               {.name = "node_id"},
                               {.name = "event_type"},
                               {.name = "event_start_time", .is = CellKind::number},
                               {.name = "event_stop_time", .is = CellKind::number}});
constexpr TableKind kFtaTable = {
    .records = "states of nodes", .fields = kFtaFields, .is_ragged = true};
constexpr std::string_view kFtaColumns =
    "component_id,node_id,event_type,event_start_time,event_stop_time";

using Interval = IntervalHistories::Interval;

struct Node {
  std::string name;
  std::vector<Interval> up;
  std::vector<Interval> watched;  ///< intervals of time that events of any type cover

  /// Adds an interval. In most tables the events of a node follow each other without a gap, so that there is only one.
  void watch(double start, double stop) {
    const bool goes_on =
        !watched.empty() && watched.back().first <= start && start <= watched.back().second;
    if (goes_on) {
      watched.back().second = std::max(watched.back().second, stop);
    } else {
      watched.emplace_back(start, stop);
    }
  }
};

/// An event without an end.
struct OpenEvent {
  std::size_t node = 0;
  double start = 0;
  bool is_up = false;
};

/// The nodes of a table, by node_id and component_id, because names repeat.
class Nodes {
 public:
  /// Returns the position of a node, and adds it if it is new. Most rows of a node follow each other.
  std::size_t find(std::string_view node, std::string_view component) {
    key_.assign(node);
    key_ += '.';
    key_ += component;
    if (!all.empty() && all[latest_].name == key_) return latest_;
    const auto [place, is_new] = positions_.try_emplace(key_, all.size());
    if (is_new) all.push_back({.name = key_, .up = {}, .watched = {}});
    return latest_ = place->second;
  }

  std::vector<Node> all;

 private:
  std::unordered_map<std::string, std::size_t> positions_;
  std::string key_;
  std::size_t latest_ = 0;
};

/// The states of the nodes according to the events of a table.
class EventTable {
 public:
  void add(std::size_t node, bool is_up, double start, std::optional<double> stop) {
    (is_up ? ups_ : downs_) += 1;
    from_ = std::min(from_, start);
    to_ = std::max(to_, stop.value_or(start));
    if (!stop) {
      open_.push_back({node, start, is_up});
    } else if (*stop > start) {
      last(node, is_up, start, *stop);
    } else {
      (*stop == start ? empty_ : reversed_) += 1;
    }
  }

  Result<AvailabilityRecord> finish(WorkerState unavailable) {
    if (!(from_ < to_)) return fail(ErrorCode::bad_format, "", "found no event that takes time");
    for (const OpenEvent& event : open_) last(event.node, event.is_up, event.start, to_);
    IntervalHistories histories;
    for (Node& node : nodes.all) {
      // A table with events of one type leaves out the other type, which then fills the rest of the time.
      if (ups_ == 0) node.up = rest(std::move(node.watched));
      if (ups_ == 0 || downs_ == 0) node.watched.assign(1, {from_, to_});
      histories.add(std::move(node.name), std::move(node.up), std::move(node.watched));
    }
    AvailabilityRecord record = histories.finish("fta", from_, to_, unavailable);
    Oddities& odd = record.oddities;
    odd.add("intervals of length 0", empty_, "left out");
    odd.add("events that end before they start", reversed_, "left out");
    odd.add("events without an end", static_cast<std::int64_t>(open_.size()),
            "they last to the end of the trace");
    if (ups_ == 0) odd.add("events, none of which says available", downs_, "available in between");
    if (downs_ == 0) {
      odd.add("events, none of which says unavailable", ups_, "unavailable in between");
    }
    return record;
  }

  Nodes nodes;

 private:
  void last(std::size_t node, bool is_up, double start, double stop) {
    if (is_up) nodes.all[node].up.emplace_back(start, stop);
    nodes.all[node].watch(start, stop);
  }

  /// Returns the parts of the trace's time that these intervals do not cover.
  [[nodiscard]] std::vector<Interval> rest(std::vector<Interval> intervals) const {
    std::sort(intervals.begin(), intervals.end());
    std::vector<Interval> out;
    double since = from_;
    for (const auto& [start, stop] : intervals) {
      if (start > since) out.emplace_back(since, start);
      since = std::max(since, stop);
    }
    if (since < to_) out.emplace_back(since, to_);
    return out;
  }

  std::vector<OpenEvent> open_;
  std::int64_t ups_ = 0, downs_ = 0, empty_ = 0, reversed_ = 0;
  double from_ = std::numeric_limits<double>::infinity();
  double to_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

Result<AvailabilityRecord> read_fta(TraceText text, AvailabilityReading reading) {
  HOLDFAST_TRY(rows, TableRows::open_site(std::move(text), kFtaTable, kFtaColumns));
  EventTable table;
  HOLDFAST_CHECK(rows.each([&]() -> Status {
    const std::string_view type = rows.text(kType);
    if (type != "0" && type != "1") {
      return fail(
          ErrorCode::bad_format, rows.place(kType),
          fmt::format("found {}, expected 1 (available) or 0 (unavailable)", in_quotes(type)));
    }
    const std::size_t node = table.nodes.find(rows.text(kNode), rows.text(kComponent));
    HOLDFAST_TRY(start, rows.value(kStart));
    HOLDFAST_TRY(stop, rows.value(kStop));
    if (!start) {
      return fail(
          ErrorCode::bad_format, rows.place(kStart),
          fmt::format("found {}, expected a number of seconds", in_quotes(rows.text(kStart))));
    }
    table.add(node, type == "1", *start, stop);
    return {};
  }));
  return table.finish(reading.unavailable);
}

FormatOf<AvailabilityRecord> fta_format() {
  return {.facts = {.name = "fta",
                    .summary = "event table of the Failure Trace Archive (event_trace.tab)",
                    .columns = kFtaColumns},
          .read = read_fta};
}

}  // namespace holdfast
