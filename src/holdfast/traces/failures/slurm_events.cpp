#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/failures/site_logs.hpp"
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

constexpr auto kNoColumn = std::numeric_limits<std::size_t>::max();
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

/// How the columns of a row are separated, and where they are. Slurm prints them between | (-P, -p), in columns under a rule, and
/// without a header (-n).
class SlurmColumns {
 public:
  using Cells = std::vector<std::string_view>;

  /// Takes a header or a rule. Returns true if the line is one, which may also happen within a file.
  bool take(std::string_view line) {
    if (line.find('-') != line.npos && line.find_first_not_of("- ") == line.npos) {
      widths_.clear();
      for (const std::string_view dashes : words_of(line))
        widths_.emplace_back(dashes.data() - line.data(), dashes.size());
      return true;
    }
    std::vector<std::pair<std::ptrdiff_t, std::size_t>> before;
    std::swap(before, widths_);
    const Cells names = cells(line);
    const auto position = [&](std::initializer_list<std::string_view> known) {
      const auto found = std::ranges::find_if(names, [&](std::string_view name) {
        return std::ranges::any_of(known, [&](std::string_view one) {
          return std::ranges::equal(one, name, {}, {}, [](char c) {
            return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
          });
        });
      });
      return found == names.end() ? kNoColumn : static_cast<std::size_t>(found - names.begin());
    };
    const SlurmColumns said =
        with(position({"nodename"}), position({"timestart", "start"}), position({"timeend", "end"}),
             position({"state"}), position({"cluster"}));
    const bool is_header = said.last() != kNoColumn;
    if (is_header) {
      *this = said;
    } else {
      std::swap(before, widths_);
    }
    return is_header;
  }

  /// Finds the columns of a file without a header from its first row. Returns false if the line is no such row.
  bool guess(std::string_view line) {
    const Cells row = cells(line);
    for (std::size_t i = 1; i + 1 < row.size(); ++i) {
      if (!date_of(row[i]) || !(is_open(row[i + 1]) || date_of(row[i + 1]))) continue;
      // Only events of the cluster have neither a node nor a state.
      if (i + 2 >= row.size() || !is_state_of_node(row[i + 2])) return false;
      if (row[i + 2].empty() && !row[i - 1].empty()) return false;
      *this = with(i - 1, i, i + 1, i + 2, i >= 2 ? i - 2 : kNoColumn);
      return true;
    }
    return false;
  }

  [[nodiscard]] Cells cells(std::string_view line) const {
    Cells out;
    if (!widths_.empty()) {
      for (const auto& [begin, width] : widths_) {
        const auto at = std::min(static_cast<std::size_t>(begin), line.size());
        out.push_back(trim(line.substr(at, width)));
      }
      return out;
    }
    if (line.find('|') == line.npos) return words_of(line);
    for (const std::string_view cell : split(line, '|')) out.push_back(trim(cell));
    return out;
  }
  [[nodiscard]] bool is_known() const { return node != kNoColumn; }
  [[nodiscard]] std::size_t last() const { return std::max({node, start, end, state}); }

  std::size_t node = kNoColumn;
  std::size_t start = kNoColumn;
  std::size_t end = kNoColumn;
  std::size_t state = kNoColumn;
  std::size_t cluster = kNoColumn;

 private:
  static SlurmColumns with(std::size_t node, std::size_t start, std::size_t end, std::size_t state,
                           std::size_t cluster) {
    SlurmColumns out;
    out.node = node, out.start = start, out.end = end, out.state = state, out.cluster = cluster;
    return out;
  }
  std::vector<std::pair<std::ptrdiff_t, std::size_t>> widths_;
};

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
  explicit SlurmReader(LineReader lines, std::optional<std::string> system)
      : lines_{std::move(lines)}, builder_{std::move(system)} {}

  Result<FailureLog> read() {
    std::string_view line;
    for (;;) {
      HOLDFAST_TRY(more, lines_.next(line));
      if (!more) break;
      if (trim(line).empty()) continue;
      if (line.front() == '#') {
        HOLDFAST_CHECK(notes_.read(line.substr(1)));
      } else if (!at_.take(line)) {
        HOLDFAST_CHECK(read_row(line));
      }
    }
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
  Status read_row(std::string_view line) {
    if (is_of_cluster(line)) {
      ++of_cluster_;
      return {};
    }
    if (!at_.is_known() && !at_.guess(line)) return no_row(line);
    const auto cells = at_.cells(line);
    if (cells.size() <= at_.end) return no_row(line);
    const auto start = date_of(cells[at_.start]);
    const bool is_over = !is_open(cells[at_.end]);
    const auto end = is_over ? date_of(cells[at_.end]) : start;
    if (!start || !end) {
      return fail(ErrorCode::bad_value, lines_.place(),
                  fmt::format("found {}, expected a date",
                              in_quotes(start ? cells[at_.end] : cells[at_.start])));
    }
    if (start->is_date != is_dated_.value_or(start->is_date) || end->is_date != start->is_date) {
      return fail(ErrorCode::bad_value, lines_.place(),
                  "found dates and Unix times, expected one of them in all rows");
    }
    is_dated_ = start->is_date;
    if (cells[at_.node].empty()) {
      ++of_cluster_;
      return {};
    }
    const std::string_view state = at_.state < cells.size() ? cells[at_.state] : "";
    EventRow row{.cluster = std::string(at_.cluster < cells.size() ? cells[at_.cluster] : ""),
                 .node = std::string(cells[at_.node]),
                 .start = start->seconds,
                 .end = is_over ? end->seconds : kOpen,
                 .event = event_of(state)};
    if (row.node.ends_with('+')) {
      return fail(ErrorCode::bad_value, lines_.place(),
                  fmt::format("found {}, expected the whole name of a node: print the events with "
                              "sacctmgr -P",
                              in_quotes(row.node)));
    }
    if (row.end < row.start && row.end + kClockHour >= row.start) {
      row.end += kClockHour;
      ++clock_went_back_;
    }
    if (row.event == NodeEvent::other) other_states_.try_emplace(std::string(state), 0);
    rows_.push_back(std::move(row));
    return {};
  }

  [[nodiscard]] Status no_row(std::string_view line) const {
    return fail(ErrorCode::bad_format, lines_.place(),
                fmt::format("found {}, expected NodeName|Start|End|State|Reason",
                            in_quotes(line.substr(0, 60))));
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

  LineReader lines_;
  FailureLogBuilder builder_;
  LogNotes notes_;
  SlurmColumns at_;
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

}  // namespace

Result<FailureLog> read_slurm_events(LineReader lines, std::optional<std::string> system) {
  return SlurmReader{std::move(lines), std::move(system)}.read();
}

bool looks_like_slurm_events(std::string_view head) {
  SlurmColumns columns;
  for (const std::string_view line : split(head, '\n')) {
    if (trim(line).empty() || line.front() == '#' || is_of_cluster(line)) continue;
    if (columns.take(line)) return columns.is_known();
    // Between blanks, numbers may be anything, so there the times must be dates.
    const bool may_be = line.find('|') != line.npos || line.find('T') != line.npos;
    return may_be && columns.guess(line);
  }
  return false;
}

FormatOf<FailureLog> slurm_events_format() {
  return {.facts = {.name = "slurm-events",
                    .summary = "events of Slurm's nodes (sacctmgr -P list event)",
                    .recognise = looks_like_slurm_events},
          .read = read_slurm_events};
}

}  // namespace holdfast
