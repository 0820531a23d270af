#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/availability/availability.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace holdfast {
namespace {

constexpr std::string_view kUnwatched = "unwatched";  // no state: it is unknown

std::optional<WorkerState> state_of(char letter) {
  const std::size_t place = std::string_view("urd").find(letter);
  if (place == std::string_view::npos) return std::nullopt;
  return static_cast<WorkerState>(place);
}

bool is_letters(std::string_view word) {
  return !word.empty() && word.find_first_not_of("urd") == std::string_view::npos;
}

// Returns the value in a comment: "60s" in "# slot: 60s".
std::optional<std::string_view> said(std::string_view line, std::string_view what) {
  line = trim(line);
  if (line.empty() || line.front() != '#') return std::nullopt;
  line = trim(line.substr(1));
  if (!line.starts_with(what) || line.size() <= what.size() || line[what.size()] != ':') {
    return std::nullopt;
  }
  return trim(line.substr(what.size() + 1));
}

// Adds a state that lasts to `end`; it extends the last interval if that has the same state.
void extend(WorkerHistory& history, double start, double end, WorkerState state) {
  if (end <= start) return;
  if (!history.intervals.empty() && history.intervals.back().state == state &&
      history.intervals.back().end == start) {
    history.intervals.back().end = end;
  } else {
    history.intervals.push_back({start, end, state});
  }
}

bool looks_like_state_letters(std::string_view head) {
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    const std::string_view line = head.substr(0, end);
    head = end == std::string_view::npos ? std::string_view{} : head.substr(end + 1);
    const auto words = words_of(line);
    if (words.empty() || words.front().front() == '#') continue;
    return words.size() <= 2 && is_letters(words.back());
  }
  return false;
}

/// Reads one line per worker with one letter per slot (u up, r reclaimed, d down), with or without a name before it. The comment
/// `# slot: 60s` gives the length of a slot (default 1 s).
Result<AvailabilityRecord> read_state_letters(LineReader lines, AvailabilityReading) {
  AvailabilityRecord record{
      .format = "states", .workers = {}, .is_two_state = false, .oddities = {}};
  double slot = 1;
  std::size_t slots = 0;
  std::string_view line;
  while (true) {
    HOLDFAST_TRY(is_line, lines.next(line));
    if (!is_line) break;
    if (const auto length = said(line, "slot")) {
      auto seconds = parse_quantity(*length, Unit::seconds);
      if (!seconds || !(*seconds > 0)) {
        return fail(ErrorCode::bad_format, lines.place(),
                    fmt::format("found a slot of {}, expected a duration", in_quotes(*length)));
      }
      if (!record.workers.empty()) {
        return fail(ErrorCode::bad_format, lines.place(),
                    "found the length of a slot below a worker, expected it above all of them");
      }
      slot = *seconds;
    }
    const auto words = words_of(line);
    if (words.empty() || words.front().front() == '#') continue;
    const std::string_view letters = words.back();
    if (words.size() > 2 || !is_letters(letters)) {
      return fail(ErrorCode::bad_format, lines.place(),
                  "expected a name (or none) and one letter u, r or d for each slot");
    }
    if (slots == 0) slots = letters.size();
    if (letters.size() != slots) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("found {} slots, expected {} as for the first worker", letters.size(),
                              slots));
    }
    WorkerHistory history{.name = words.size() == 2 ? std::string(words.front())
                                                    : fmt::format("{}", record.workers.size()),
                          .intervals = {}};
    for (std::size_t t = 0; t < letters.size(); ++t) {
      extend(history, slot * static_cast<double>(t), slot * static_cast<double>(t + 1),
             *state_of(letters[t]));
    }
    record.workers.push_back(std::move(history));
  }
  if (record.workers.empty()) return fail(ErrorCode::bad_format, "", "found no worker");
  record.to = slot * static_cast<double>(slots);
  return record;
}

}  // namespace

Result<Oddities> write_state_events(const AvailabilityRecord& record, const TextSink& sink) {
  SinkBuffer out(sink);
  out << fmt::format("# until: {}\nworker,time,state\n", to_text(record.to));
  std::unordered_map<std::string, int> taken;  // names in use, and the last number after each
  std::int64_t renamed = 0;
  for (const WorkerHistory& worker : record.workers) {
    std::string unique = worker.name;  // because rows with the same name would be one worker
    while (!taken.try_emplace(unique, 1).second) {
      unique = fmt::format("{}#{}", worker.name, ++taken[worker.name]);
    }
    if (unique != worker.name) ++renamed;
    const std::string name = csv_field(unique);
    const auto row = [&](double time, std::string_view state) {
      out << fmt::format("{},{},{}\n", name, to_text(time), state);
    };
    if (worker.intervals.empty()) row(record.from, kUnwatched);
    for (std::size_t i = 0; i < worker.intervals.size(); ++i) {
      const StateInterval& interval = worker.intervals[i];
      const bool is_last = i + 1 == worker.intervals.size();
      row(interval.start, kWorkerStates[static_cast<std::size_t>(interval.state)]);
      const double next = is_last ? record.to : worker.intervals[i + 1].start;
      if (interval.end < next) row(interval.end, kUnwatched);
    }
  }
  HOLDFAST_CHECK(out.finish());
  Oddities lost;
  lost.add("workers of a name that another one has", renamed, "written with a number after it");
  return lost;
}

namespace {

constexpr auto kStateFields = std::to_array<TableField>(
    {{.name = "worker"}, {.name = "time", .is = CellKind::time}, {.name = "state"}});
constexpr TableKind kStateTable = {.records = "states of workers", .fields = kStateFields};
constexpr std::string_view kStateColumns = "worker,time,state";

}  // namespace

Result<AvailabilityRecord> read_state_events(TraceText text, AvailabilityReading) {
  HOLDFAST_TRY(rows, TableRows::open_site(std::move(text), kStateTable, kStateColumns));
  struct Event {
    double time = 0;
    std::optional<WorkerState> state;  ///< nothing: not observed
  };
  std::vector<std::pair<std::string, std::vector<Event>>> workers;
  std::map<std::string, std::size_t, std::less<>> worker_of;
  AvailabilityRecord record{.format = "state-events",
                            .from = std::numeric_limits<double>::infinity(),
                            .to = -std::numeric_limits<double>::infinity(),
                            .workers = {},
                            .is_two_state = false,
                            .oddities = {}};
  HOLDFAST_CHECK(rows.each([&]() -> Status {
    HOLDFAST_TRY(time, rows.known_time(1));
    const std::string_view said_state = rows.text(2);
    const auto name = std::find(kWorkerStates.begin(), kWorkerStates.end(), said_state);
    std::optional<WorkerState> state;
    if (name != kWorkerStates.end()) state = static_cast<WorkerState>(name - kWorkerStates.begin());
    if (!state && said_state != kUnwatched) {
      return fail(ErrorCode::bad_format, rows.place(2),
                  fmt::format("found {}, expected up, reclaimed, down or {}", in_quotes(said_state),
                              kUnwatched));
    }
    const auto [place, is_new] = worker_of.try_emplace(std::string(rows.text(0)), workers.size());
    if (is_new) workers.emplace_back(place->first, std::vector<Event>{});
    workers[place->second].second.push_back({time, state});
    record.from = std::min(record.from, time);
    record.to = std::max(record.to, time);
    return {};
  }));
  for (const std::string& comment : rows.comments()) {
    const std::string line = "#" + comment;  // kept, because the found value points into it
    const auto until = said(line, "until");
    if (!until) continue;
    const auto time = parse_instant(*until);
    if (!time) return fail(ErrorCode::bad_format, "until", time.error().message);
    record.to = std::max(record.to, time->seconds);
  }
  if (workers.empty()) return fail(ErrorCode::bad_format, "", "found no row");
  std::int64_t disordered = 0;
  for (auto& [name, events] : workers) {
    const auto earlier = [](const Event& a, const Event& b) { return a.time < b.time; };
    if (!std::is_sorted(events.begin(), events.end(), earlier)) ++disordered;
    std::stable_sort(events.begin(), events.end(), earlier);
    WorkerHistory history{.name = name, .intervals = {}};
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!events[i].state) continue;
      extend(history, events[i].time, i + 1 < events.size() ? events[i + 1].time : record.to,
             *events[i].state);
    }
    record.workers.push_back(std::move(history));
  }
  record.oddities.add("workers whose rows are not in order of time", disordered, "sorted");
  return record;
}

FormatOf<AvailabilityRecord> state_events_format() {
  return {.facts = {.name = "state-events",
                    .summary = "states of workers with columns worker, time, state",
                    .columns = kStateColumns},
          .read = read_state_events,
          .write = write_state_events};
}

FormatOf<AvailabilityRecord> states_format() {
  return {.facts = {.name = "states",
                    .summary = "states of workers, one letter u, r or d per slot",
                    .recognise = looks_like_state_letters},
          .read = read_state_letters};
}

}  // namespace holdfast
