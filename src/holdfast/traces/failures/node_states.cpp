#include "holdfast/traces/failures/node_states.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/table_rows.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr auto kWords = std::to_array<std::pair<Duty, std::string_view>>({
    {Duty::up,
     "up ok on online alive available ready running idle alloc allocated mix mixed comp completing "
     "free busy healthy good 1 true yes recovered recovery repair repaired restored resolved fixed "
     "back started boot booted"},
    {Duty::down,
     "down fail failed failing failure fault faulty off offline dead error broken unavailable "
     "unreachable lost crash crashed outage notready unhealthy bad 0 false no firing problem "
     "critical"},
    {Duty::planned,
     "drain drained draining drng maint maintenance planned reboot rebooting reserved resv"},
});

/// Returns what the word for a state means; nothing if it is not known.
std::optional<Duty> duty_of(std::string_view state) {
  std::string word = lower_case(state);
  word.resize(word.find_last_not_of("*~#!%$@^-") + 1);
  const auto known = std::ranges::find_if(kWords, [&](const auto& one) {
    const auto all = words_of(one.second);
    return std::ranges::find(all, word) != all.end();
  });
  return known == kWords.end() ? std::nullopt : std::optional(known->first);
}

/// Returns true for a column that says both when nodes went down and when they came back.
bool holds_states(const ColumnForm& form) {
  const auto has = [&](Duty duty) {
    return std::ranges::any_of(form.words, [&](auto& word) { return duty_of(word) == duty; });
  };
  return has(Duty::down) && (has(Duty::up) || has(Duty::planned));
}

struct StateAt {
  enum : std::size_t { node, since, state };
};
constexpr auto kStateFields = std::to_array<TableField>({
    {.name = "node",
     .synonyms = "host hostname nodename server machine nodeid computer instance device series "
                 "metric knoten rechner",
     .need = 1},
    {.name = "since",
     .is = CellKind::time,
     .synonyms = "time timestamp datetime date changed changedat lastchange at when eventtime "
                 "datum zeit zeitpunkt",
     .need = 2},
    {.name = "state",
     .synonyms = "status condition newstate nodestate event eventtype action type value zustand "
                 "ereignis",
     .need = 3,
     .holds = holds_states},
});
constexpr TableKind kStateTable = {
    .records = "states of nodes",
    .fields = kStateFields,
    .strangers = "job jobid submit start end down up user worker",
};
/// A column of 0 and 1 for each node.
constexpr TableKind kWideTable = {.records = "states of nodes, a column for each",
                                  .fields = std::span(kStateFields).subspan(1, 1)};

/// Returns the name of the node in the labels of a series, up{instance="n1:9100",job="node"}, without its port; any other text
/// is a name.
std::string node_in(std::string_view series) {
  for (const std::string_view label : {"instance=", "nodename=", "node=", "hostname=", "host="}) {
    const std::size_t at = series.find(label);
    if (at == series.npos || series.find('{') > at) continue;
    std::string_view name = series.substr(at + label.size());
    name.remove_prefix(std::min(name.find_first_not_of('"'), name.size()));
    name = name.substr(0, name.find_first_of("\",}"));
    return std::string(name.substr(0, name.rfind(':')));
  }
  return std::string(series);
}

Result<FailureLog> read_node_states(TraceText text, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kStateTable));
  HOLDFAST_TRY(notes, LogNotes::of(rows.comments()));
  const auto& column = rows.reading().fields[StateAt::state].column;
  const bool is_sampled = rows.reading().table.forms[*column].of == ColumnForm::Of::number;
  NodeStates states(is_sampled);
  std::int64_t planned = 0;
  HOLDFAST_CHECK(rows.each([&]() -> Status {
    const std::string node = node_in(rows.text(StateAt::node));
    if (node.empty()) {
      return fail(ErrorCode::bad_value, rows.place(StateAt::node),
                  "found nothing, expected a node's name");
    }
    HOLDFAST_TRY(since, rows.known_time(StateAt::since));
    const auto duty = duty_of(rows.text(StateAt::state));
    if (!duty) {
      return fail(ErrorCode::bad_value, rows.place(StateAt::state),
                  fmt::format("found {}, expected a state such as up, down or maintenance",
                              in_quotes(rows.text(StateAt::state))));
    }
    if (*duty == Duty::planned) ++planned;
    auto taken = states.take(node, since, *duty);
    return taken ? taken : fail(in_file(rows.place(), std::move(taken).error()));
  }));
  HOLDFAST_TRY(log, states.finish("node-states", std::move(system), notes, rows.resolution(),
                                  rows.is_dated()));
  log.oddities.add("states in which a node was out of service as planned", planned, "no failures");
  rows.tell(log.oddities);
  return log;
}

Result<FailureLog> read_node_columns(TraceText text, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kWideTable));
  HOLDFAST_TRY(notes, LogNotes::of(rows.comments()));
  const std::size_t time_column = *rows.reading().fields[0].column;
  std::vector<std::string> nodes;
  for (const std::string& name : rows.names()) {
    const std::string node = node_in(name);
    const bool is_new = std::ranges::find(nodes, node) == nodes.end();
    nodes.push_back(is_new ? node : name);
  }
  NodeStates states(true);
  HOLDFAST_CHECK(rows.each([&]() -> Status {
    HOLDFAST_TRY(time, rows.known_time(0));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i == time_column || rows.cell(i).empty()) continue;  // it was not looked at
      const auto duty = duty_of(rows.raw(i));
      if (!duty) {
        return fail(ErrorCode::bad_value, rows.place_of(i),
                    fmt::format("found {}, expected 0 (down) or 1 (up)", in_quotes(rows.raw(i))));
      }
      auto taken = states.take(nodes[i], time, *duty);
      if (!taken) return fail(in_file(rows.place(), std::move(taken).error()));
    }
    return {};
  }));
  HOLDFAST_TRY(log, states.finish("node-columns", std::move(system), notes, rows.resolution(),
                                  rows.is_dated()));
  rows.tell(log.oddities);
  return log;
}

/// Returns true for dates, and beside them columns of nothing but 0 and 1, or words for them.
bool looks_like_node_columns(std::string_view head) {
  constexpr std::size_t kFewest = 3;
  constexpr double kLeastUnixTime = 1e8;
  const auto reading = understood(head.substr(0, head.rfind('\n')), true, kWideTable, {});
  if (!reading || !reading->is_complete()) return false;
  const SniffedTable& table = reading->table;
  if (table.header_line == 0 || table.names.size() < kFewest) return false;
  bool is_up = false;
  for (std::size_t i = 0; i < table.forms.size(); ++i) {
    const ColumnForm& form = table.forms[i];
    if (reading->fields[0].column == i) {
      if (form.of != ColumnForm::Of::date && form.largest < kLeastUnixTime) return false;
      continue;
    }
    for (const std::string& word : form.words) {
      const auto duty = duty_of(word);
      if (!duty || *duty == Duty::planned) return false;
      is_up = is_up || *duty == Duty::up;
    }
  }
  return is_up;
}

}  // namespace

Status NodeStates::take(const std::string& node, double since, Duty duty) {
  auto& changes = of_node_[node];
  const bool has_before = is_sampled_ && !changes.empty();
  if (has_before && since < changes.back().since)
    return fail(ErrorCode::bad_value, {}, "expected the samples of a node in order of time");
  first_ = std::min(first_, since);
  last_ = std::max(last_, since);
  if (!has_before || changes.back().duty != duty) changes.push_back({since, duty});
  return {};
}

Result<FailureLog> NodeStates::finish(std::string_view format, std::optional<std::string> system,
                                      const LogNotes& notes, double resolution, bool is_dated) {
  FailureLogBuilder builder{std::move(system)};
  std::int64_t began_down = 0;
  for (auto& [node, changes] : of_node_) {
    std::ranges::stable_sort(changes, {}, &Change::since);
    builder.node("", node);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (changes[i].duty != Duty::down) continue;
      const std::size_t begin = i;
      while (i + 1 < changes.size() && changes[i + 1].duty == Duty::down) ++i;
      if (is_sampled_ && begin == 0) {
        ++began_down;
        continue;
      }
      const double down = changes[begin].since;
      const double up =
          i + 1 < changes.size() ? changes[i + 1].since : std::numeric_limits<double>::infinity();
      const std::string line = fmt::format("{} {}", node, down);
      builder.add({.system = "", .node = node, .down = down, .up = up, .line = line});
    }
  }
  const bool is_stated = is_sampled_ && !notes.from;
  auto log = is_stated ? builder.finish(format, resolution, is_dated, first_, last_)
                       : notes.finish(builder, format, resolution, is_dated);
  if (!log) return log;
  if (!notes.from) log->from = std::min(log->from, first_);
  if (!notes.to) log->to = std::max(log->to, last_);
  if (is_stated) {  // nodes without an outage are named, too
    for (LoggedSystem& machine : log->systems) machine.nodes = machine.nodes_with_rows;
  }
  log->oddities.add("nodes that were down when the record began", began_down,
                    "that is no failure that anybody saw");
  return log;
}

FormatOf<FailureLog> node_states_format() {
  return {.facts = {.name = "node-states",
                    .summary = "states of nodes, each until the next (columns node, since, state)",
                    .columns = "node,since,state",
                    .table = &kStateTable},
          .read = read_node_states};
}

FormatOf<FailureLog> node_columns_format() {
  return {.facts = {.name = "node-columns",
                    .summary = "states of nodes over time, a column of 0 and 1 for each node",
                    .recognise = looks_like_node_columns},
          .read = read_node_columns};
}

}  // namespace holdfast
