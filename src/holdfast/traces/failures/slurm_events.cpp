#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

namespace holdfast {
namespace {

constexpr double kOpen = std::numeric_limits<double>::infinity();
constexpr double kLeastUnixTime = 1e8;  // 1973; smaller numbers are no dates

/// The meaning of a node's state: "DOWN*", "DOWN+DRAIN", "DOWN$", "DRNG".
enum class NodeEvent : std::uint8_t { failure, drained, drained_silent, planned, other };
constexpr std::size_t kEvents = 5;

/// What a word of a state means. A word that ends in * belongs to a node that does not respond; one that ends in one of $ ~ % # !
/// ^ @ to a reservation for maintenance, a reboot or power saving.
NodeEvent event_of_word(std::string_view word) {
  constexpr auto kFailures = std::to_array<std::string_view>(
      {"DOWN", "FAIL", "FAILG", "FAILING", "ERROR", "NOT_RESPONDING", "NO_RESPOND"});
  constexpr auto kPlanned = std::to_array<std::string_view>(
      {"MAINT", "MAINTENANCE", "PLANNED", "POWER", "REBOOT", "BOOT"});
  const std::size_t end = word.find_last_not_of("*~#!%$@^-");
  const std::string_view suffix = end == word.npos ? word : word.substr(end + 1);
  word.remove_suffix(suffix.size());
  const auto begins = [&](std::string_view name) { return word.starts_with(name); };
  if (std::ranges::any_of(kPlanned, begins) || suffix.find_first_of("~#!%$@^") != suffix.npos)
    return NodeEvent::planned;
  if (std::ranges::find(kFailures, word) != kFailures.end()) return NodeEvent::failure;
  if (!begins("DRAIN") && !begins("DRNG")) return NodeEvent::other;
  return suffix.find('*') == suffix.npos ? NodeEvent::drained : NodeEvent::drained_silent;
}

NodeEvent event_of(std::string_view state) {
  std::string upper(state);
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  std::array<bool, kEvents> has{};
  for (const std::string_view word : split(upper, '+')) {
    has[static_cast<std::size_t>(event_of_word(trim(word)))] = true;
  }
  for (const NodeEvent event :
       {NodeEvent::planned, NodeEvent::failure, NodeEvent::drained_silent, NodeEvent::drained}) {
    if (has[static_cast<std::size_t>(event)]) return event;
  }
  return NodeEvent::other;
}

/// Returns true if a state is one of nodes; states of jobs are in the same place of other tables.
bool is_state_of_node(std::string_view state) {
  constexpr auto kUsual =
      std::to_array<std::string_view>({"IDLE", "ALLOC", "MIX", "UNK", "INVAL", "FUTURE"});
  return state.empty() || event_of(state) != NodeEvent::other ||
         std::ranges::any_of(kUsual, [&](std::string_view one) { return state.starts_with(one); });
}

bool is_open(std::string_view end) {
  return end.empty() || end == "Unknown" || end == "None" || end == "0";
}

std::optional<Instant> date_of(std::string_view text) {
  const auto instant = parse_instant(text);
  if (!instant || !(instant->is_date || instant->seconds > kLeastUnixTime)) return std::nullopt;
  return *instant;
}

/// Returns true for a row of the cluster between blanks: it has one word less, because its node is empty.
bool is_of_cluster(std::string_view line) {
  return line.find('|') == line.npos && line.find(" Cluster Reg") != line.npos;
}

struct SlurmAt {
  enum : std::size_t { node, start, end, state, cluster };
};
constexpr auto kSlurmFields = std::to_array<TableField>({
    {.name = "node", .synonyms = "nodename", .need = 1},
    {.name = "start", .synonyms = "timestart", .need = 2},
    {.name = "end", .synonyms = "timeend", .need = 3},
    {.name = "state", .need = 4},
    {.name = "cluster"},
});
constexpr TableKind kSlurmTable = {
    .records = "events of nodes", .fields = kSlurmFields, .is_ragged = true};

/// Returns where the columns of a table without a header are, as its first row of a node shows; empty if it has no such row.
std::string columns_of_row(std::string_view head, const SniffedTable& table) {
  std::vector<std::string_view> row;
  std::string storage;
  for (const std::string_view line : split(head, '\n')) {
    if (trim(line).empty() || line.front() == '#' || is_of_cluster(line)) continue;
    if (!table.dialect.split(line, row, storage)) return {};
    break;
  }
  for (std::string_view& cell : row) cell = trim(cell);
  for (std::size_t i = 1; i + 2 < row.size(); ++i) {
    if (!date_of(row[i]) || !(is_open(row[i + 1]) || date_of(row[i + 1]))) continue;
    // Only events of the cluster have neither a node nor a state.
    if (!is_state_of_node(row[i + 2]) || (row[i + 2].empty() && !row[i - 1].empty())) return {};
    return fmt::format("node={},start={},end={},state={}{}", i, i + 1, i + 2, i + 3,
                       i >= 2 ? fmt::format(",cluster={}", i - 1) : "");
  }
  return {};
}

/// A row of a node.
struct EventRow {
  std::string cluster;
  std::string node;
  double start = 0;
  double end = kOpen;
  NodeEvent event = NodeEvent::other;

  [[nodiscard]] auto key() const { return std::tie(cluster, node, start, end, event); }
  [[nodiscard]] bool is_of_node_of(const EventRow& other) const {
    return cluster == other.cluster && node == other.node;
  }
};

class SlurmReader {
 public:
  SlurmReader(TableRows rows, std::optional<std::string> system)
      : table_{std::move(rows)}, builder_{std::move(system)} {}

  Result<FailureLog> read() {
    HOLDFAST_TRY(notes, LogNotes::of(table_.comments()));
    notes_ = notes;
    HOLDFAST_CHECK(table_.each([&] { return read_row(); }));
    HOLDFAST_CHECK(drop_repeated());
    for (std::size_t begin = 0; begin < rows_.size();) begin = add_chain(begin);
    std::ranges::sort(outages_, {}, &EventRow::key);
    std::ranges::stable_sort(outages_, {}, &EventRow::start);
    for (const EventRow& one : outages_) {
      const std::string line_of = fmt::format("{} {} {}", one.cluster, one.node, one.start);
      builder_.add({one.cluster, one.node, one.start, one.end, line_of});
    }
    return finish();
  }

 private:
  Status read_row() {
    const std::string_view node = table_.text(SlurmAt::node), state = table_.text(SlurmAt::state);
    if (node.empty() || is_of_cluster(table_.line())) {
      ++of_cluster_;
      return {};
    }
    const std::string_view from = table_.text(SlurmAt::start), to = table_.text(SlurmAt::end);
    const bool is_over = !is_open(to);
    const auto start = date_of(from);
    const auto end = is_over ? date_of(to) : start;
    if (!start || !end) {
      return fail(ErrorCode::bad_value, table_.place(),
                  fmt::format("found {}, expected a date", in_quotes(start ? to : from)));
    }
    if (start->is_date != is_dated_.value_or(start->is_date) || end->is_date != start->is_date) {
      return fail(ErrorCode::bad_value, table_.place(),
                  "found dates and Unix times, expected one of them in all rows");
    }
    is_dated_ = start->is_date;
    EventRow row{.cluster = std::string(table_.text(SlurmAt::cluster)),
                 .node = std::string(node),
                 .start = start->seconds,
                 .end = is_over ? end->seconds : kOpen,
                 .event = event_of(state)};
    if (row.node.ends_with('+')) {
      return fail(ErrorCode::bad_value, table_.place(),
                  fmt::format("found {}, expected the whole name of a node: print the events with "
                              "sacctmgr -P",
                              in_quotes(row.node)));
    }
    if (row.end < row.start && row.end + kClockHour >= row.start) {
      row.end += kClockHour;
      ++clock_went_back_;
    }
    if (row.event == NodeEvent::other) other_states_.try_emplace(std::string(state), 0);
    if (row.node.find('[') == std::string::npos) {
      rows_.push_back(std::move(row));
      return {};
    }
    auto names = expand_nodes(row.node);
    if (!names) return fail(in_file(table_.place(), std::move(names).error()));
    for (std::string& name : *names) {
      row.node = std::move(name);
      rows_.push_back(row);
    }
    return {};
  }

  /// Sorts the rows by node and time, and drops those that two lists of the same events have. A row that was open in one of them
  /// and has an end in the other counts once.
  Status drop_repeated() {
    std::ranges::sort(rows_, {}, &EventRow::key);
    const auto before = std::ssize(rows_);
    std::vector<EventRow> kept;
    for (EventRow& row : rows_) {
      const bool repeats = !kept.empty() && row.is_of_node_of(kept.back()) &&
                           row.start == kept.back().start && row.event == kept.back().event &&
                           (row.end == kept.back().end || row.end == kOpen);
      if (!repeats) kept.push_back(std::move(row));
    }
    rows_ = std::move(kept);
    repeated_ = before - std::ssize(rows_);
    for (const EventRow& row : rows_) ++counts_[static_cast<std::size_t>(row.event)];
    if (counts_[0] > 0) return {};
    std::vector<std::string_view> others;
    for (const auto& [state, count] : other_states_) others.emplace_back(state);
    return fail(
        ErrorCode::bad_format, {},
        fmt::format(
            "found no outage in {} of nodes ({} drained, {} planned, {} of other states{}), "
            "expected at least one of state DOWN, FAIL or ERROR",
            counted(std::ssize(rows_), "row"), counts_[1] + counts_[2], counts_[3], counts_[4],
            others.empty() ? "" : ": " + join(others, ", ")));
  }

  /// Slurm ends a row and begins another whenever the state or the reason of a node changes, so rows that touch are one outage:
  /// from the first that is a failure to the end of the last. Returns the first row behind them.
  std::size_t add_chain(std::size_t begin) {
    double end = -kOpen;
    std::optional<EventRow> outage;
    std::size_t i = begin;
    for (; i < rows_.size() && rows_[i].is_of_node_of(rows_[begin]); ++i) {
      const EventRow& row = rows_[i];
      if (i > begin && row.start > end) break;
      const bool is_failure = row.event == NodeEvent::failure;
      if (outage && is_failure) ++joined_;
      if (is_failure && !outage) outage = row;
      const bool goes_on =
          i + 1 < rows_.size() && rows_[i + 1].is_of_node_of(row) && rows_[i + 1].start > row.start;
      if (row.end == kOpen && goes_on) {
        end = std::max(end, row.start);  // it ended before the next row, since when is unknown
        if (is_failure) ++without_end_;
      } else {
        end = std::max(end, row.end);
      }
    }
    if (outage) {
      if (outage->end >= outage->start) outage->end = std::max(end, outage->start);
      outages_.push_back(std::move(*outage));
    }
    return i;
  }

  Result<FailureLog> finish() {
    HOLDFAST_TRY(log, notes_.finish(builder_, "slurm-events", 1, true));
    const auto count = [&](NodeEvent event) { return counts_[static_cast<std::size_t>(event)]; };
    log.oddities.add("rows that repeat another row, or end it", repeated_, "counted once");
    log.oddities.add("rows of a node that is still down: its state or reason changed", joined_,
                     "joined: one outage");
    log.oddities.add("outages that end less than an hour before they start", clock_went_back_,
                     "an hour longer: the clock went back");
    log.oddities.add("outages without an end, before another event of the node", without_end_,
                     "kept: of unknown length, counted as 0");
    log.oddities.add("events of the cluster", of_cluster_, "left out: they name no node");
    log.oddities.add("nodes that were drained", count(NodeEvent::drained),
                     "left out: their jobs went on");
    log.oddities.add("drained nodes that did not respond (DRAIN*, DRNG*)",
                     count(NodeEvent::drained_silent),
                     "left out, unless the node was down before: some may be failures");
    log.oddities.add("maintenance, reboots, power saving", count(NodeEvent::planned), "left out");
    log.oddities.add("events of other states", count(NodeEvent::other), "left out");
    return log;
  }

  TableRows table_;
  FailureLogBuilder builder_;
  LogNotes notes_;
  std::optional<bool> is_dated_;
  std::vector<EventRow> rows_;
  std::vector<EventRow> outages_;
  std::map<std::string, int> other_states_;
  std::array<std::int64_t, kEvents> counts_{};
  std::int64_t of_cluster_ = 0;
  std::int64_t repeated_ = 0;
  std::int64_t joined_ = 0;
  std::int64_t clock_went_back_ = 0;
  std::int64_t without_end_ = 0;
};

/// Reads the events of Slurm's nodes (sacctmgr list event), between | (-P, -p), in columns under a rule or without a header (-n).
/// DOWN, FAIL, ERROR and NOT_RESPONDING are outages. Drained nodes, maintenance, reboots, power saving and events of the cluster
/// are left out and counted. Dates are local; `Unknown` means no end.
Result<FailureLog> read_slurm_events(TraceText text, std::optional<std::string> system) {
  HOLDFAST_TRY(head, text.lines.head(kSniffedHead));
  HOLDFAST_TRY(table, sniff(head, head.size() < kSniffedHead, text.table, &kSlurmTable));
  if (table.header_line == 0) {
    text.table.is_words = first_row_of(head).find('|') == std::string_view::npos;
    HOLDFAST_TRY(again, sniff(head, head.size() < kSniffedHead, text.table, &kSlurmTable));
    const std::string columns = columns_of_row(head, again);
    if (!columns.empty() && text.table.columns.empty()) text = std::move(text).with(columns, false);
  }
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kSlurmTable));
  return SlurmReader{std::move(rows), std::move(system)}.read();
}

bool looks_like_slurm_events(std::string_view head) {
  for (const char* columns : {"nodename,timestart,timeend,state", "nodename,start,end,state"}) {
    if (header_has(lower_case(head.substr(0, 4096)), columns)) return true;
  }
  constexpr std::size_t kSome = 8192;
  const std::string_view some = head.substr(0, head.rfind('\n', kSome));
  // Between blanks, numbers may be anything, so there the times must be dates.
  const std::string_view line = first_row_of(some);
  const bool is_words = line.find('|') == line.npos;
  if (is_words && line.find('T') == line.npos) return false;
  TableQuestion question;
  question.is_words = is_words;
  const auto table = sniff(some, true, question);
  return table && table->header_line == 0 && !columns_of_row(some, *table).empty();
}

}  // namespace

FormatOf<FailureLog> slurm_events_format() {
  return {.facts = {.name = "slurm-events",
                    .summary = "events of Slurm's nodes (sacctmgr -P list event)",
                    .recognise = looks_like_slurm_events},
          .read = read_slurm_events};
}

}  // namespace holdfast
