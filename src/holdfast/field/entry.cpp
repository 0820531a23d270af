#include "holdfast/field/entry.hpp"

#include "holdfast/field/rows.hpp"

#include <array>
#include <string_view>
#include <type_traits>

namespace holdfast::field {
namespace {

/// The kinds of the lines, in the order of the alternatives; what is known of checkpoints has kinds of its own.
constexpr std::array<std::string_view, std::variant_size_v<JournalEntry>> kKinds = {
    "launch",  "ready",   "due",     "begun",   "snapshot", "checkpoint", "durable",      "failure",
    "restart", "finish",  "stop",    "gave-up", "progress", "estimate",   "renewal",      "events",
    "inputs",  "dropped", "warning", "note",    "requeue",  "past",       "past-failure", ""};

// The members of each entry, in their order.
template <class Row>
void rows(entry::Launch& entry, Row row) {
  row("pid", entry.pid);
  row("start", entry.start);
  row("from", entry.from);
  row("command", entry.command);
}
template <class Row>
void rows(entry::Ready& entry, Row row) {
  row("seconds", entry.seconds);
}
template <class Row>
void rows(entry::Due& entry, Row row) {
  row("work", entry.work);
}
template <class Row>
void rows(entry::Begun& entry, Row row) {
  row("seconds", entry.seconds);
}
template <class Row>
void rows(entry::Snapshot& entry, Row row) {
  row("work", entry.work);
  row("seconds", entry.seconds);
}
template <class Row>
void rows(entry::Checkpoint& entry, Row row) {
  row("ok", entry.ok);
  row("work", entry.work);
  row("seconds", entry.seconds);
  row("flush", entry.flush);
  row("reason", entry.reason);
  row("level", entry.level);
  row("due", entry.due);
  row.members(entry.file);
}
template <class Row>
void rows(entry::Failure& entry, Row row) {
  row("signal", entry.signal);
  row("code", entry.code);
  row.spare("survived", entry.survived);
  row("lost", entry.lost);
  row("ran", entry.ran);
  row("quick", entry.quick);
  row("ready", entry.ready);
  row("saving", entry.saving);
  row.spare("by_request", entry.by_request);
  row.spare("hang", entry.hang);
  row("node", entry.node);
  row.spare("reason", entry.reason);
}
template <class Row>
void rows(entry::Restart& entry, Row row) {
  row("code", entry.code);
  row("saved", entry.saved);
  row.spare("in_vain", entry.in_vain);
  row("lost", entry.lost);
}
template <class Row>
void rows(entry::Finish& entry, Row row) {
  row("code", entry.code);
  row("work", entry.work);
}
template <class Row>
void rows(entry::Stop& entry, Row row) {
  row("reason", entry.reason);
  row("unsaved", entry.unsaved);
}
template <class Row>
void rows(entry::GaveUp& entry, Row row) {
  row("reason", entry.reason);
}
template <class Row>
void rows(entry::Progress& entry, Row row) {
  row("done", entry.done);
  row("total", entry.total);
}
template <class Row>
void rows(entry::Estimate& entry, Row row) {
  row("due", entry.due);
  row("interval", entry.interval);
  row("checkpoint", entry.checkpoint);
  row("recovery", entry.recovery);
  row("rate", entry.rate);
  row("theta", entry.theta);
  row.renamed("share_before_failure", "efficiency", entry.share_before_failure);
  row("young_daly", entry.young_daly);
  row("interruptions", entry.interruptions);
  row("expected", entry.expected);
  row("checkpoints", entry.checkpoints);
  row("recoveries", entry.recoveries);
  row("downtimes", entry.downtimes);
}
template <class Row>
void rows(entry::Renewal& entry, Row row) {
  row("node", entry.node);
  row("number", entry.number);
  row("row", entry.row);
}
template <class Row>
void rows(entry::Events& entry, Row row) {
  row("row", entry.row);
}
template <class Row>
void rows(entry::Inputs& entry, Row row) {
  row("files", entry.files);
}
template <class Row>
void rows(entry::Dropped& entry, Row row) {
  row("bytes", entry.bytes);
}
template <class Row>
void rows(entry::Warning& entry, Row row) {
  row("text", entry.text);
}
template <class Row>
void rows(entry::Note& entry, Row row) {
  row("text", entry.text);
}
template <class Row>
void rows(entry::Requeue& /*entry*/, Row /*row*/) {}

template <class Row>
void rows(PastFailure& entry, Row row) {
  row("at", entry.clock);
  row("code", entry.code);
  row("cause", entry.cause);
  row("lost", entry.lost);
  row("down", entry.down);
  row.spare("quick", entry.is_quick);
  row.spare("by_request", entry.by_request);
  row.spare("saving", entry.was_saving);
  row("node", entry.node);
}

constexpr auto kFates = std::to_array<std::string_view>({"safe", "open", "lost"});

constexpr auto kEstimateRows = [](PastEstimate& one, auto row) {
  row("at", one.clock);
  row("checkpoint", one.checkpoint);
  row("recovery", one.recovery);
  row("theta", one.theta);
};
constexpr auto kStretchRows = [](Stretch& one, auto row) {
  row.word("kind", one.kind, kStretchKinds);
  row("start", one.start);
  row("end", one.end);
  row.word("fate", one.fate, kFates);
};

template <class Row>
void rows(Course& course, Row row) {
  row("course_clock", course.clock);
  row("course_since", course.since);
  row("course_runs", course.is_running);
  row("course_ended", course.ended_at);
  row.each("course", course.stretches, kStretchRows);
  row("course_room", course.room);
}

template <class Row>
void rows(Past& past, Row row) {
  row("at", past.clock);
  row("at_time", past.time);
  row("before", past.before);
  row("began", past.began);
  row("launches", past.launches);
  row("restarts", past.restarts);
  row("killed_guards", past.killed_guards);
  row("event_rows", past.event_rows);
  row("recoveries", past.recoveries);
  row("tries", past.tries);
  row("checkpoints", past.checkpoints);
  row("failed_checkpoints", past.failed_checkpoints);
  row("saved", past.saved);
  row("lost", past.lost);
  row("saving", past.saving);
  row("recovering", past.recovering);
  row("down", past.down);
  row("copying", past.copying);
  row("dropped", past.dropped);
  row("longest_answer", past.longest_answer);
  row("done", past.done);
  row("total", past.total);
  row("next_due", past.next_due);
  row("due", past.due);
  row("began_empty", past.began_empty);
  row("saves_not", past.saves_not);
  row.spare("inputs", past.inputs);
  row("saved_at", past.saved_at);
  row("checkpoint_seconds", past.checkpoint_seconds);
  row("sample_clock", past.sample.clock);
  row("sample_saved", past.sample.saved);
  row.spare("end", past.end);
  row.spare("reason", past.reason);
  row.spare("warning", past.warning);
  row("safe_at", past.safe_at);
  row("runs", past.is_running);
  row("ended", past.ended_at);
  row("estimates_seen", past.estimates_seen);
  row("estimates_every", past.estimates_every);
  row.each("estimates", past.estimates, kEstimateRows);
  rows(past.course, row);
}

/// Rows that may have the members of a file among them.
struct Writer : RowWriter {
  void members(const std::optional<SeenFile>& file) const {
    if (!file) return;
    const Value value = to_value(*file);
    for (const auto& [name, member] : *value.members()) out->set(name, member);
  }
};
struct Reader : RowReader {
  void members(std::optional<SeenFile>& file) const { file = seen_file(*in); }
};

}  // namespace

Value to_value(const JournalEntry& entry) {
  if (const auto* checkpoint = std::get_if<Entry>(&entry)) return to_value(*checkpoint);
  Value out = Value::object({{"kind", kKinds[entry.index()]}});
  std::visit(
      [&](auto one) {
        if constexpr (!std::is_same_v<decltype(one), Entry>) rows(one, Writer{{&out}});
      },
      entry);
  return out;
}

std::optional<JournalEntry> journal_entry_of(const Value& line) {
  const Value* kind = line.find("kind");
  if (kind == nullptr || kind->string() == nullptr || kind->string()->empty()) return std::nullopt;
  if (auto checkpoint = entry_of(line)) return std::move(*checkpoint);
  return read_alternative<JournalEntry>(
      kKinds, *kind->string(), line, [](auto& one, RowReader row) {
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(one)>, Entry>)
          rows(one, Reader{row});
      });
}

}  // namespace holdfast::field
