#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/site_logs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace holdfast {
namespace {

/// The positions of the columns in a row, as `sacctmgr -nP` prints it or as a header states.
struct SlurmColumns {
  std::size_t node = 0;
  std::size_t start = 1;
  std::size_t end = 2;
  std::size_t state = 3;

  [[nodiscard]] std::size_t last() const { return std::max({node, start, end, state}); }
};

std::vector<std::string_view> fields_of_event(std::string_view line) {
  std::vector<std::string_view> out;
  for (const std::string_view field : split(line, '|')) out.push_back(trim(field));
  return out;
}

// Returns the columns of a header; nothing if the line is not a header.
std::optional<SlurmColumns> columns_of_header(std::string_view line) {
  constexpr auto kNone = std::numeric_limits<std::size_t>::max();
  SlurmColumns at{kNone, kNone, kNone, kNone};
  const auto names = fields_of_event(line);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "NodeName") at.node = i;
    if (names[i] == "TimeStart" || names[i] == "Start") at.start = i;
    if (names[i] == "TimeEnd" || names[i] == "End") at.end = i;
    if (names[i] == "State") at.state = i;
  }
  return at.last() == kNone ? std::nullopt : std::optional(at);
}

bool is_open(std::string_view end) {
  return end.empty() || end == "Unknown" || end == "None";
}

std::optional<double> date_of(std::string_view text) {
  const auto instant = parse_instant(text);
  return instant && instant->is_date ? std::optional(instant->seconds) : std::nullopt;
}

bool looks_like_event(std::string_view line) {
  const auto fields = fields_of_event(line);
  const SlurmColumns at;
  return fields.size() > at.last() && date_of(fields[at.start]) &&
         (is_open(fields[at.end]) || date_of(fields[at.end]));
}

/// The meaning of a node's state: "DOWN*", "DOWN+DRAIN", "MAINT", "POWERED_DOWN".
enum class NodeEvent : std::uint8_t { failure, drained, planned, other };

NodeEvent event_of(std::string_view state) {
  constexpr auto kFailures =
      std::to_array<std::string_view>({"DOWN", "FAIL", "ERROR", "NOT_RESPONDING"});
  constexpr auto kPlanned =
      std::to_array<std::string_view>({"MAINT", "PLANNED", "POWER", "REBOOT"});
  bool is_failure = false;
  bool is_drained = false;
  for (std::string_view flag : split(state, '+')) {
    flag = trim(flag);
    while (!flag.empty() && std::string_view("*~#!%$@^-").find(flag.back()) != flag.npos) {
      flag.remove_suffix(1);
    }
    const auto begins = [&](std::string_view word) { return flag.starts_with(word); };
    if (std::any_of(kPlanned.begin(), kPlanned.end(), begins)) return NodeEvent::planned;
    is_failure |= std::find(kFailures.begin(), kFailures.end(), flag) != kFailures.end();
    is_drained |= flag.starts_with("DRAIN");
  }
  if (is_failure) return NodeEvent::failure;
  return is_drained ? NodeEvent::drained : NodeEvent::other;
}

}  // namespace

Result<FailureLog> read_slurm_events(LineReader lines, std::optional<std::string> system) {
  FailureLogBuilder builder{std::move(system)};
  SlurmColumns at;
  std::array<std::int64_t, 4> counts{};
  std::int64_t of_cluster = 0;
  bool is_first = true;
  std::string_view line;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    if (trim(line).empty()) continue;
    const auto header = is_first ? columns_of_header(line) : std::nullopt;
    is_first = false;
    if (header) {
      at = *header;
      continue;
    }
    const auto fields = fields_of_event(line);
    if (fields.size() <= at.last()) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("found {}, expected NodeName|Start|End|State|Reason",
                              in_quotes(line.substr(0, 60))));
    }
    const auto start = date_of(fields[at.start]);
    const auto end =
        is_open(fields[at.end]) ? std::numeric_limits<double>::infinity() : date_of(fields[at.end]);
    if (!start || !end) {
      return fail(ErrorCode::bad_value, lines.place(),
                  fmt::format("found {}, expected a date",
                              in_quotes(start ? fields[at.end] : fields[at.start])));
    }
    if (fields[at.node].empty()) {
      ++of_cluster;
      continue;
    }
    const NodeEvent event = event_of(fields[at.state]);
    ++counts[static_cast<std::size_t>(event)];
    if (event != NodeEvent::failure) continue;
    builder.add({.system = "", .node = fields[at.node], .down = *start, .up = *end, .line = line});
  }
  HOLDFAST_TRY(log, builder.finish("slurm-events", 1, true));
  const auto count = [&](NodeEvent event) { return counts[static_cast<std::size_t>(event)]; };
  log.oddities.add("events of the cluster", of_cluster, "left out: they name no node");
  log.oddities.add("nodes that were drained", count(NodeEvent::drained),
                   "left out: their jobs went on");
  log.oddities.add("maintenance, reboots, power saving", count(NodeEvent::planned), "left out");
  log.oddities.add("events of other states", count(NodeEvent::other), "left out");
  return log;
}

bool looks_like_slurm_events(std::string_view head) {
  const std::string_view line = trim(head.substr(0, head.find('\n')));
  return columns_of_header(line) || looks_like_event(line);
}

FormatOf<FailureLog> slurm_events_format() {
  return {.facts = {.name = "slurm-events",
                    .summary = "events of Slurm's nodes (sacctmgr -P list event)",
                    .recognise = looks_like_slurm_events},
          .read = read_slurm_events};
}

}  // namespace holdfast
