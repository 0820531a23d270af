#include "holdfast/field/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace holdfast::field {
namespace {

double number_of(const Value& entry, std::string_view name) {
  const Value* value = entry.find(name);
  return value == nullptr || !value->is_number() ? 0 : value->number();
}

std::string text_of(const Value& entry, std::string_view name) {
  const Value* value = entry.find(name);
  return value == nullptr || value->string() == nullptr ? std::string() : *value->string();
}

bool flag_of(const Value& entry, std::string_view name) {
  const Value* value = entry.find(name);
  return value != nullptr && value->boolean() != nullptr && *value->boolean();
}

PastFailure failure_of(const Value& entry) {
  PastFailure out;
  out.clock = number_of(entry, "clock");
  constexpr int kBySignal = 128;
  out.code = entry.find("signal") != nullptr
                 ? kBySignal + static_cast<int>(number_of(entry, "signal"))
                 : static_cast<int>(number_of(entry, "code"));
  out.cause = entry.find("signal") != nullptr
                  ? fmt::format("signal {}", number_of(entry, "signal"))
                  : fmt::format("exit code {}", number_of(entry, "code"));
  if (flag_of(entry, "survived")) out.cause = "the program began again";
  if (flag_of(entry, "hang")) out.cause = "no sign of life";
  if (const std::string reason = text_of(entry, "reason"); !reason.empty()) {
    out.cause += ", " + reason;
  }
  out.lost = number_of(entry, "lost");
  out.is_quick = flag_of(entry, "quick");
  out.by_request = flag_of(entry, "by_request");
  if (out.by_request) out.cause += ", by the request";
  out.was_saving = entry.find("saving") != nullptr;
  if (entry.find("node") != nullptr) {
    out.node = static_cast<std::int64_t>(number_of(entry, "node"));
  }
  return out;
}

std::optional<double> if_known(const Value& entry, std::string_view name) {
  const Value* value = entry.find(name);
  return value == nullptr || !value->is_number() ? std::nullopt : std::optional(value->number());
}

}  // namespace

void History::take(const Value& entry) {
  const std::string kind = text_of(entry, "kind");
  const double before = clock;
  clock = number_of(entry, "clock");
  time = number_of(entry, "time");
  const bool is_save = kind == "checkpoint" || kind == "durable";
  if ((is_save || kind == "estimate") && entry.find("due") != nullptr) {
    next_due = clock + number_of(entry, "due");
  }
  if (kind == "launch") {
    take_launch(entry, before);
  } else if (kind == "ready") {
    recovering += number_of(entry, "seconds");
    ++recoveries;
    if (launches == 1) began = clock;
    safe_at_ = clock;
  } else if (kind == "due") {
    due = clock;
  } else if (kind == "begun") {
    longest_answer = std::max(longest_answer, number_of(entry, "seconds"));
  } else if (kind == "snapshot") {
    due.reset();  // it is counted when it is durable
  } else if (is_save) {
    take_save(entry);
  } else if (kind == "failure") {
    take_failure(entry);
  } else if (kind == "inputs") {
    if (const Value* files = entry.find("files")) inputs = *files;
  } else if (kind == "dropped") {
    dropped += number_of(entry, "bytes");
  } else if (kind == "warning") {
    warning = text_of(entry, "text");
  } else if (kind == "events" || kind == "renewal") {
    event_rows = std::max(event_rows, static_cast<std::int64_t>(number_of(entry, "row")));
  } else if (kind == "estimate") {
    estimate = entry;
    estimates.push_back({.clock = clock,
                         .checkpoint = if_known(entry, "checkpoint"),
                         .recovery = if_known(entry, "recovery"),
                         .theta = if_known(entry, "theta")});
  } else if (kind == "progress") {
    done = number_of(entry, "done");
    total = number_of(entry, "total");
  } else if (const auto checkpoint = entry_of(entry)) {
    generations.take(*checkpoint);
    if (const auto* kept = std::get_if<Kept>(&*checkpoint)) copying += kept->seconds;
  } else {
    take_end(entry, kind);
  }
}

void History::take_launch(const Value& entry, double before) {
  ++launches;
  if (ended_at_) {
    const double gap = std::max(0.0, clock - *ended_at_);
    down += gap;
    if (!failures.empty() && failures.back().clock == *ended_at_) failures.back().down = gap;
  }
  ended_at_.reset();
  if (is_running_) {
    ++killed_guards;
    lost += std::max(0.0, before - safe_at_);
  }
  if (launches == 1) {
    began = clock;
    began_empty = entry.find("from") != nullptr && text_of(entry, "from").empty();
  }
  is_running_ = true;
  safe_at_ = clock;
  end.clear();
  reason.clear();
  warning.clear();
  due.reset();
}

void History::take_save(const Value& entry) {
  due.reset();
  saving += number_of(entry, "seconds");
  if (!flag_of(entry, "ok")) {
    ++failed_checkpoints;
    return;
  }
  ++checkpoints;
  warning.clear();
  tries = 0;
  safe_at_ = clock;
  saved_at = clock;
  saved += number_of(entry, "work");
  checkpoint_seconds.push_back(number_of(entry, "seconds"));
  if (const auto file = seen_file(entry)) generations.take_old(*file);
}

void History::take_failure(const Value& entry) {
  failures.push_back(failure_of(entry));
  lost += failures.back().lost;
  saving += number_of(entry, "saving");
  due.reset();
  if (flag_of(entry, "survived")) {  // the program goes on
    safe_at_ = clock;
    return;
  }
  if (!failures.back().node) ++tries;
  ended_at_ = clock;
  is_running_ = false;
}

// Takes an end that is no failure.
void History::take_end(const Value& entry, const std::string& kind) {
  const bool is_restart = kind == "restart";
  if (!is_restart && kind != "stop" && kind != "finish" && kind != "gave-up") return;
  is_running_ = false;
  due.reset();
  if (is_restart) {
    ++restarts;
    lost += number_of(entry, "lost");
    ended_at_ = clock;
    return;
  }
  end = kind;
  reason = text_of(entry, "reason");
  if (kind == "stop") {
    lost += number_of(entry, "unsaved");
    ended_at_.reset();
  } else if (kind == "finish") {
    saved += number_of(entry, "work");
    saved_at = clock;
  }
}

double History::mean_checkpoint() const {
  if (checkpoint_seconds.empty()) return 0;
  return std::accumulate(checkpoint_seconds.begin(), checkpoint_seconds.end(), 0.0) /
         static_cast<double>(checkpoint_seconds.size());
}

History history_of(const Journal& journal) {
  History out;
  for (const Value& entry : journal.entries) out.take(entry);
  return out;
}

}  // namespace holdfast::field
