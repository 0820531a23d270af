#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/text/table_rows.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

struct FaultAt {
  enum : std::size_t { node, time, type };
};
constexpr auto kFaultFields = std::to_array<TableField>(
    {{.name = "node"}, {.name = "time", .is = CellKind::time}, {.name = "type"}});
constexpr TableKind kFaultTable = {.records = "events of faults", .fields = kFaultFields};

/// A list of starts and ends of faults.
struct EventList {
  std::string_view format;
  std::string_view columns;
  std::string_view starts, ends;
  std::string_view unit = {};   ///< of times that are numbers, if it is not a second
  std::string_view cause = {};  ///< how columns begin that say which fault it is
};
constexpr EventList kFaultEvents = {.format = "fault-events",
                                    .columns = "node=node_id,time=event_time,type=event_type",
                                    .starts = "fault_start",
                                    .ends = "fault_end",
                                    .unit = "time=d",
                                    .cause = "fault_type"};
constexpr EventList kBatsimEvents = {.format = "batsim-events",
                                     .columns = "node=resources,time=timestamp,type=type",
                                     .starts = "machine_unavailable",
                                     .ends = "machine_available"};

/// Returns the nodes of an event; Batsim's are numbers and ranges of them between blanks: "5 7-9".
std::vector<std::string> nodes_of(std::string_view text, const EventList& list) {
  if (list.format != kBatsimEvents.format) return {std::string(text)};
  constexpr std::int64_t kMost = 1'000'000;
  std::vector<std::string> out;
  for (const std::string_view word : words_of(text)) {
    const std::size_t dash = word.find('-');
    const auto first = parse_integer(word.substr(0, dash));
    const auto last = dash == word.npos ? first : parse_integer(word.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last - *first >= kMost) return {};
    for (std::int64_t i = *first; i <= *last; ++i) out.push_back(std::to_string(i));
  }
  return out;
}

Result<FailureLog> read_events(TraceText text, std::optional<std::string> system,
                               const EventList& list) {
  text.table.column_unit = list.unit;
  text = std::move(text).with(list.columns);
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kFaultTable));
  FailureLogBuilder builder{std::move(system)};
  std::multimap<std::pair<std::string, std::string>, double> open;
  std::int64_t without_start = 0;
  const auto cause_of_row = [&] {
    std::string out;
    for (std::size_t i = 0; i < rows.names().size() && !list.cause.empty(); ++i) {
      if (rows.names()[i].starts_with(list.cause)) out += std::string(rows.raw(i)) + "\n";
    }
    return out;
  };
  const auto add = [&](const std::pair<std::string, std::string>& fault, double down, double up) {
    const std::string line = fmt::format("{} {} {}", fault.first, fault.second, down);
    builder.add({.system = "", .node = fault.first, .down = down, .up = up, .line = line});
  };
  HOLDFAST_CHECK(rows.each([&]() -> Status {
    const std::string_view type = rows.text(FaultAt::type);
    HOLDFAST_TRY(time, rows.known_time(FaultAt::time));
    const auto nodes = nodes_of(rows.text(FaultAt::node), list);
    if (nodes.empty() || nodes.front().empty() || time < 0 ||
        (type != list.starts && type != list.ends)) {
      return fail(ErrorCode::bad_value, rows.place(),
                  fmt::format("expected a node, a time of 0 or more, and {} or {} in each event",
                              list.starts, list.ends));
    }
    for (const std::string& node : nodes) {
      const auto key = std::pair(node, cause_of_row());
      if (type == list.starts) {
        open.emplace(key, time);
        continue;
      }
      auto start = open.find(key);
      if (start == open.end()) {  // some ends name another cause than their start
        start = open.lower_bound({key.first, {}});
        if (start != open.end() && start->first.first != key.first) start = open.end();
      }
      if (start == open.end()) {
        ++without_start;
        continue;
      }
      add(start->first, start->second, time);
      open.erase(start);
    }
    return {};
  }));
  for (const auto& [key, down] : open) add(key, down, std::numeric_limits<double>::infinity());
  HOLDFAST_TRY(log, builder.finish(list.format, 0, rows.is_dated()));
  log.oddities.add("ends of faults without a start", without_start, "left out");
  if (!log.is_dated && !list.unit.empty())
    log.oddities.add("times in days", log.rows, "as this format has them");
  return log;
}

bool looks_like_fault_events(std::string_view head) {
  return trim(head).starts_with('[') && head.find("\"event_type\"") != head.npos &&
         head.find("\"fault_start\"") != head.npos && head.find("\"node_id\"") != head.npos;
}

bool looks_like_batsim_events(std::string_view head) {
  return trim(head).starts_with('{') && head.find("\"resources\"") != head.npos &&
         (head.find(kBatsimEvents.starts) != head.npos ||
          head.find(kBatsimEvents.ends) != head.npos);
}

template <const EventList* kList>
Result<FailureLog> read_list(TraceText text, std::optional<std::string> system) {
  return read_events(std::move(text), std::move(system), *kList);
}

}  // namespace

FormatOf<FailureLog> fault_events_format() {
  return {.facts = {.name = kFaultEvents.format,
                    .summary = "starts and ends of faults of nodes (JSON)",
                    .recognise = looks_like_fault_events},
          .read = read_list<&kFaultEvents>};
}

FormatOf<FailureLog> batsim_events_format() {
  return {.facts = {.name = kBatsimEvents.format,
                    .summary = "machines that become unavailable and available (Batsim's events)",
                    .recognise = looks_like_batsim_events},
          .read = read_list<&kBatsimEvents>};
}

}  // namespace holdfast
