#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <string>
#include <utility>

namespace holdfast {
namespace {

constexpr double kDay = 86400;
constexpr double kMostDays = 1e9;
constexpr std::size_t kMostBytes = std::size_t{1} << 28;

/// One event of a list. Numbers are days since the beginning of the record, texts are dates.
struct FaultEvent {
  std::string node;
  std::string what;  ///< the fault, as JSON
  Instant time;
  bool is_start = false;
};

Result<FaultEvent> fault_event_of(const Value& row, const std::string& where) {
  const Value* node = row.find("node_id");
  const Value* time = row.find("event_time");
  const Value* type = row.find("event_type");
  const auto refuse = [&](const char* field, const char* expected) {
    return fail(ErrorCode::bad_value, pointer_to(where, field),
                fmt::format("expected {} in each event", expected));
  };
  if (node == nullptr || node->string() == nullptr) return refuse("node_id", "the name of a node");
  if (type == nullptr || type->string() == nullptr ||
      (*type->string() != "fault_start" && *type->string() != "fault_end"))
    return refuse("event_type", "fault_start or fault_end");
  FaultEvent out{.node = *node->string(),
                 .what = {},
                 .time = {},
                 .is_start = *type->string() == "fault_start"};
  if (const Value* fault = row.find("fault_type")) out.what = to_compact_json(*fault);
  if (time != nullptr && time->is_number() && time->number() >= 0 && time->number() < kMostDays) {
    out.time.seconds = time->number() * kDay;
  } else if (time != nullptr && time->string() != nullptr) {
    HOLDFAST_TRY(instant, parse_instant(*time->string()));
    out.time = instant;
  } else {
    return refuse("event_time", "a number of days or a date");
  }
  return out;
}

Result<FailureLog> read_fault_events(LineReader lines, std::optional<std::string> system) {
  HOLDFAST_TRY(text, lines.rest(kMostBytes));
  auto document = parse_json(text);
  if (!document) return fail(in_file(lines.name(), std::move(document).error()));
  const Value::Array* rows = document->array_items();
  if (rows == nullptr)
    return fail(ErrorCode::bad_format, lines.name(), "found no list of events, expected one");
  FailureLogBuilder builder{std::move(system)};
  std::multimap<std::pair<std::string, std::string>, double> open;
  std::int64_t without_start = 0;
  bool is_dated = false;
  const auto add = [&](const std::pair<std::string, std::string>& fault, double down, double up) {
    const std::string line = fmt::format("{} {} {}", fault.first, fault.second, down);
    builder.add({.system = "", .node = fault.first, .down = down, .up = up, .line = line});
  };
  for (std::size_t i = 0; i < rows->size(); ++i) {
    auto event = fault_event_of((*rows)[i], pointer_to("", i));
    if (!event) return fail(in_file(lines.name(), std::move(event).error()));
    is_dated = event->time.is_date;
    const auto key = std::pair(event->node, event->what);
    if (event->is_start) {
      open.emplace(key, event->time.seconds);
      continue;
    }
    auto start = open.find(key);
    if (start == open.end()) {  // some ends name another cause than their start
      start = open.lower_bound({event->node, {}});
      if (start != open.end() && start->first.first != event->node) start = open.end();
    }
    if (start == open.end()) {
      ++without_start;
      continue;
    }
    add(start->first, start->second, event->time.seconds);
    open.erase(start);
  }
  for (const auto& [key, down] : open) add(key, down, std::numeric_limits<double>::infinity());
  auto log = builder.finish("fault-events", 0, is_dated);
  if (!log) return fail(in_file(lines.name(), std::move(log).error()));
  log->oddities.add("ends of faults without a start", without_start, "left out");
  if (!is_dated) log->oddities.add("times in days", log->rows, "as this format has them");
  return log;
}

bool looks_like_fault_events(std::string_view head) {
  return trim(head).starts_with('[') && head.find("\"event_type\"") != head.npos &&
         head.find("\"fault_start\"") != head.npos && head.find("\"node_id\"") != head.npos;
}

}  // namespace

FormatOf<FailureLog> fault_events_format() {
  return {.facts = {.name = "fault-events",
                    .summary = "starts and ends of faults of nodes (JSON)",
                    .recognise = looks_like_fault_events},
          .read = read_fault_events};
}

}  // namespace holdfast
