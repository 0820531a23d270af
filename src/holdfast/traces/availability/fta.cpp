#include "holdfast/base/text.hpp"
#include "holdfast/traces/availability/interval_history.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

namespace holdfast {
namespace {

constexpr auto kEventColumns = std::to_array<std::string_view>(
    {"component_id", "node_id", "event_type", "event_start_time", "event_stop_time"});
enum Column : std::size_t { kComponent, kNode, kType, kStart, kStop };

std::vector<std::string_view> header_words(std::string_view line) {
  std::vector<std::string_view> words = words_of(line);
  if (!words.empty() && words.front() == "#") words.erase(words.begin());
  return words;
}

Result<double> time_of(std::string_view word, const LineReader& lines, std::string_view column) {
  if (const auto value = finite_number(word)) return *value;
  return fail(ErrorCode::bad_format, fmt::format("{}: {}", lines.place(), column),
              fmt::format("found {}, expected a number of seconds", in_quotes(word)));
}

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

bool looks_like_fta(std::string_view head) {
  const auto words = header_words(head.substr(0, head.find('\n')));
  return std::all_of(kEventColumns.begin(), kEventColumns.end(), [&](std::string_view column) {
    return std::find(words.begin(), words.end(), column) != words.end();
  });
}

Result<AvailabilityRecord> read_fta(LineReader lines, AvailabilityReading reading) {
  std::string_view line;
  HOLDFAST_TRY(has_header, lines.next(line));
  const auto header = has_header ? header_words(line) : std::vector<std::string_view>{};
  std::array<std::size_t, kEventColumns.size()> at{};
  for (std::size_t i = 0; i < kEventColumns.size(); ++i) {
    at[i] = static_cast<std::size_t>(std::find(header.begin(), header.end(), kEventColumns[i]) -
                                     header.begin());
    if (at[i] == header.size()) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("the column {} is missing", in_quotes(kEventColumns[i])));
    }
  }
  const std::size_t columns = header.size();
  EventTable table;
  std::vector<std::string_view> words;
  while (true) {
    HOLDFAST_TRY(is_line, lines.next(line));
    if (!is_line) break;
    split_words(line, words);
    if (words.empty()) continue;
    if (words.size() < columns) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("found {} columns, expected {}", words.size(), columns));
    }
    const std::string_view type = words[at[kType]];
    if (type != "0" && type != "1") {
      return fail(
          ErrorCode::bad_format, fmt::format("{}: {}", lines.place(), kEventColumns[kType]),
          fmt::format("found {}, expected 1 (available) or 0 (unavailable)", in_quotes(type)));
    }
    const std::size_t node = table.nodes.find(words[at[kNode]], words[at[kComponent]]);
    HOLDFAST_TRY(start, time_of(words[at[kStart]], lines, kEventColumns[kStart]));
    std::optional<double> stop;
    if (words[at[kStop]] != "NULL") {
      HOLDFAST_TRY(stated, time_of(words[at[kStop]], lines, kEventColumns[kStop]));
      stop = stated;
    }
    table.add(node, type == "1", start, stop);
  }
  return table.finish(reading.unavailable);
}

FormatOf<AvailabilityRecord> fta_format() {
  return {.facts = {.name = "fta",
                    .summary = "event table of the Failure Trace Archive (event_trace.tab)",
                    .recognise = looks_like_fta},
          .read = read_fta};
}

}  // namespace holdfast
