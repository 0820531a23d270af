#include "holdfast/field/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace holdfast::field {
namespace {

PastFailure failure_of(const entry::Failure& entry, double clock) {
  constexpr int kBySignal = 128;
  PastFailure out{.clock = clock,
                  .code = entry.signal ? kBySignal + *entry.signal : entry.code.value_or(0),
                  .cause = entry.survived ? "the program began again"
                           : entry.hang   ? "no sign of life"
                           : entry.signal ? fmt::format("signal {}", *entry.signal)
                                          : fmt::format("exit code {}", entry.code.value_or(0)),
                  .lost = entry.lost,
                  .is_quick = entry.quick,
                  .by_request = entry.by_request,
                  .was_saving = entry.saving.has_value(),
                  .node = entry.node};
  if (!entry.reason.empty()) out.cause += ", " + entry.reason;
  if (entry.by_request) out.cause += ", by the request";
  return out;
}

}  // namespace

void History::take(const Value& line) {
  before = clock;
  const Value* date = line.find("clock");
  const Value* wall = line.find("time");
  clock = date != nullptr && date->is_number() ? date->number() : 0;
  time = wall != nullptr && wall->is_number() ? wall->number() : 0;
  const auto entry = journal_entry_of(line);
  course.clock = clock;
  if (entry) std::visit([&](const auto& one) { course.on(one), on(one); }, *entry);
}

void History::on(const entry::Launch& entry) {
  ++launches;
  if (ended_at) {
    const double gap = std::max(0.0, clock - *ended_at);
    down += gap;
    if (!failures.empty() && failures.back().clock == *ended_at) failures.back().down = gap;
  }
  ended_at.reset();
  if (is_running) {
    ++killed_guards;
    lost += std::max(0.0, before - safe_at);
  }
  if (launches == 1) {
    began = clock;
    began_empty = entry.from && entry.from->empty();
  }
  is_running = true;
  safe_at = clock;
  end.clear();
  reason.clear();
  warning.clear();
  due.reset();
}

void History::on(const entry::Ready& entry) {
  recovering += entry.seconds;
  ++recoveries;
  if (launches == 1) began = clock;
  safe_at = clock;
}

void History::on(const entry::Due& /*entry*/) {
  due = clock;
}

void History::on(const entry::Begun& entry) {
  longest_answer = std::max(longest_answer, entry.seconds);
}

void History::on(const entry::Snapshot& /*entry*/) {
  due.reset();  // it is counted when it is durable
}

void History::on(const entry::Checkpoint& entry) {
  if (entry.due) next_due = clock + *entry.due;
  due.reset();
  saving += entry.seconds;
  if (!entry.ok) {
    ++failed_checkpoints;
    return;
  }
  ++checkpoints;
  warning.clear();
  tries = 0;
  safe_at = clock;
  saved_at = clock;
  saved += entry.work;
  checkpoint_seconds += entry.seconds;
  if (checkpoints == kSample) sample = {clock, saved};
  if (entry.file) generations.take_old(*entry.file);
}

void History::on(const entry::Failure& entry) {
  failures.push_back(failure_of(entry, clock));
  lost += entry.lost;
  saving += entry.saving.value_or(0);
  due.reset();
  if (entry.survived) {  // the program goes on
    safe_at = clock;
    return;
  }
  if (!entry.node) ++tries;
  ended_at = clock;
  is_running = false;
}

void History::on(const entry::Restart& entry) {
  close({}, {});
  ++restarts;
  saves_not = saves_not || entry.in_vain;
  lost += entry.lost;
  ended_at = clock;
}

void History::on(const entry::Finish& entry) {
  close("finish", {});
  saved += entry.work;
  saved_at = clock;
}

void History::on(const entry::Stop& entry) {
  close("stop", entry.reason);
  lost += entry.unsaved;
  ended_at.reset();
}

void History::on(const entry::GaveUp& entry) {
  close("gave-up", entry.reason);
}

// Takes note of an end that is no failure.
void History::close(std::string kind, std::string why) {
  is_running = false;
  due.reset();
  end = std::move(kind);
  reason = std::move(why);
}

void History::on(const entry::Progress& entry) {
  done = entry.done;
  total = entry.total;
}

void History::on(const entry::Estimate& entry) {
  if (entry.due) next_due = clock + *entry.due;
  estimate = entry;
  if (estimates_seen++ % std::max<std::int64_t>(estimates_every, 1) != 0) return;
  if (estimates.size() == kMostEstimates) {
    for (std::size_t i = 1; 2 * i < estimates.size(); ++i) estimates[i] = estimates[2 * i];
    estimates.resize(kMostEstimates / 2);
    estimates_every *= 2;
  }
  estimates.push_back({.clock = clock,
                       .checkpoint = entry.checkpoint,
                       .recovery = entry.recovery,
                       .theta = entry.theta});
}

void History::on(const entry::Renewal& entry) {
  event_rows = std::max(event_rows, entry.row);
}

void History::on(const entry::Events& entry) {
  event_rows = std::max(event_rows, entry.row);
}

void History::on(const entry::Inputs& entry) {
  inputs = entry.files;
}

void History::on(const entry::Dropped& entry) {
  dropped += static_cast<double>(entry.bytes);
}

void History::on(const entry::Warning& entry) {
  warning = entry.text;
}

void History::on(const Entry& entry) {
  generations.take(entry);
  if (const auto* kept = std::get_if<Kept>(&entry)) copying += kept->seconds;
}

double History::mean_checkpoint() const {
  return checkpoints == 0 ? 0 : checkpoint_seconds / static_cast<double>(checkpoints);
}

std::vector<JournalEntry> History::entries() const {
  std::vector<JournalEntry> out;
  for (Entry& one : generations.entries()) out.emplace_back(std::move(one));
  if (estimate) out.emplace_back(*estimate);
  for (const PastFailure& failure : failures) out.emplace_back(failure);
  out.emplace_back(static_cast<const Past&>(*this));  // what those before it changed, too
  return out;
}

Value line_of(const JournalEntry& entry, const Moment& now) {
  Value out = Value::object(
      {{"time", now.time}, {"clock", now.clock}, {"boot", now.boot}, {"run", now.run}});
  const Value said = to_value(entry);
  for (const auto& [name, value] : *said.members()) out.set(name, value);
  return out;
}

Status compact(JournalWriter& journal, const History& history) {
  const Moment now = {.time = history.time, .clock = history.clock, .run = history.launches};
  std::vector<Value> lines;
  for (const JournalEntry& entry : history.entries()) lines.push_back(line_of(entry, now));
  return journal.compact(std::move(lines));
}

History history_of(const Journal& journal) {
  History out;
  for (const Value& entry : journal.entries) out.take(entry);
  return out;
}

Result<ReadHistory> read_history(const std::filesystem::path& file) {
  ReadHistory out;
  HOLDFAST_TRY(journal, read_journal(file, [&](const Value& entry) { out.history.take(entry); }));
  out.journal = std::move(journal);
  return out;
}

}  // namespace holdfast::field
