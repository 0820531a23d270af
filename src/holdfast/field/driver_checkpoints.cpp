// How checkpoints are noticed, verified, kept and given back.
#include "holdfast/base/units.hpp"
#include "holdfast/field/driver_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <utility>

namespace holdfast::field {
namespace {

using Outcome = CheckpointFiles::Outcome;

Value to_value(const Outcome& outcome) {
  Value entries = Value::array();
  for (const Entry& entry : outcome.entries) entries.push(to_value(entry));
  return Value::object({{"entries", std::move(entries)},
                        {"said", Value::list(outcome.said)},
                        {"from", outcome.from},
                        {"generation", outcome.generation},
                        {"lost", outcome.is_lost}});
}

Outcome outcome_of(const Value& value) {
  Outcome out;
  for (const Value& line : *value.find("entries")->array_items()) {
    if (auto entry = entry_of(line)) out.entries.push_back(std::move(*entry));
  }
  for (const Value& text : *value.find("said")->array_items()) out.said.push_back(*text.string());
  out.from = *value.find("from")->string();
  out.is_lost = *value.find("lost")->boolean();
  static_cast<void>(value.find("generation")->get_integer(out.generation));
  return out;
}

}  // namespace

void Driver::Loop::remember(const Entry& entry) {
  known_.take(entry);
  write(entry, std::holds_alternative<Noticed>(entry) ? Durable::soon : Durable::now);
}

void Driver::Loop::remember(const Outcome& outcome) {
  double seconds = now() - task_began_;
  for (Entry entry : outcome.entries) {
    if (auto* kept = std::get_if<Kept>(&entry)) kept->seconds = std::exchange(seconds, 0);
    remember(entry);
  }
  for (const std::string& text : outcome.said) {
    if (said_.insert(text).second) voice_.warn(text);  // a full disk is told once
  }
}

// Starts work that may take long. Where no process can be made, it is done at once.
void Driver::Loop::begin(Task task, const std::function<Value()>& work) {
  task_began_ = now();
  doing_ = task;
  const auto all = [&] {
    if (task != Task::verify) files_->let_go(known_);
    return work();
  };
  if (auto started = Background::start(all, task == Task::keep || task == Task::let_go)) {
    task_.emplace(std::move(*started));
  } else {
    on_task_end(all());
  }
}

// Lets older checkpoints go, now that the journal has a newer one, and completes what it says of that.
void Driver::Loop::let_go() {
  if (!task_) begin(Task::let_go, [&] { return to_value(files_->digests(known_)); });
}

// Returns true if something is being done that must come to its end. What can be done later is given up for what comes next.
bool Driver::Loop::is_busy() {
  if (doing_ == Task::let_go) {
    task_.reset();
    doing_ = Task::none;
  }
  return doing_ != Task::none;
}

void Driver::Loop::on_task_end(const Value& result) {
  task_.reset();
  switch (std::exchange(doing_, Task::none)) {
    case Task::verify:
      on_verified(result);
      break;
    case Task::keep:
      on_copied(result);
      break;
    case Task::prepare: {
      const Outcome outcome =
          result.is_null() ? files_->prepare(known_, candidates_, start_) : outcome_of(result);
      remember(outcome);
      newest_ = outcome.from;
      from_ = outcome.generation;
      start_program();
      let_go();
      break;
    }
    case Task::let_go:
      if (!result.is_null()) remember(outcome_of(result));
      break;
    case Task::none:
      break;
  }
  if (task_) return;
  if (const auto asked = std::exchange(awaits_verify_, std::nullopt)) verify(*asked);
  if (std::exchange(awaits_aside_, false)) set_aside();
  if (std::exchange(awaits_launch_, false)) prepare_launch();
}

// --- what is seen ---

Finding Driver::Loop::see(const Sight& sight) {
  Finding finding =
      candidates_.take(sight, known_, [&](const SeenFile& file) { return hold_of(file); });
  if (finding.learned) remember(*finding.learned);
  return finding;
}

Hold Driver::Loop::hold_of(const SeenFile& file) const {
  if (!options_->verify.empty()) return Hold::none;  // the user's check decides
  const auto processes = job_processes(sessions_);
  const std::string named = (std::filesystem::path(file.path).parent_path() / file.target).string();
  if (is_open_for_writing(file.path, processes) ||
      (!file.target.empty() && is_open_for_writing(named, processes))) {
    return Hold::open;
  }
  // Only after that: a file is closed when its writer is killed, before the end of the writer can be noticed in another way.
  const bool runs = program_ && is_running(*program_) && std::ranges::all_of(writers_, is_running);
  return runs ? Hold::none : Hold::ended;
}

// Takes note of the processes that may write a checkpoint which changes: those that run now, and those that ran some time before.
// Short-lived helpers of scripts come and go.
void Driver::Loop::note_writers(bool has_begun) {
  constexpr double kBetweenLooks = 10;
  constexpr double kLeastAge = 1;
  if (!has_begun && looked_at_ - running_at_ < kBetweenLooks) return;
  const auto add = [&] { std::ranges::copy(running_, std::back_inserter(writers_)); };
  if (has_begun) add();
  running_ = job_processes(sessions_);
  std::erase_if(running_, [&](const ProcessId& process) {
    return is_helper(process) || (asker_ && is_in_session(process, asker_->pid)) ||
           age_of(process) < kLeastAge;
  });
  running_at_ = looked_at_;
  if (has_begun) add();
}

// Takes what happened to the names of checkpoints since the last call.
void Driver::Loop::read_watch(bool counts) {
  bool has_missed = false;
  for (const FileWatch::Seen& seen : watch_.read(has_missed)) {
    std::string path = counts ? files_->checkpoint_named(seen.folder, seen.name) : std::string();
    if (path.empty()) continue;
    if (seen.has_moved_in) {
      see(MovedIn{std::move(path)});
    } else {
      see(Written{std::move(path)});
    }
  }
  if (has_missed && counts && !known_.was_written())
    remember(Learned{"written"});  // for all one knows
}

Finding Driver::Loop::look_at_checkpoints() {
  read_watch(true);
  watch_.add(files_->folders());
  Finding finding = see(Looked{.now = looked_at_, .files = files_->files()});
  note_writers(finding.has_begun);
  for (const SeenFile& file : candidates_.changed()) {
    if (!known_.was_noticed(file))
      remember(Noticed{.file = file.path, .inode = file.inode, .changed = file.changed});
  }
  look_seconds_ = now() - looked_at_;
  return finding;
}

void Driver::Loop::look_for_checkpoint() {
  if (!watches_checkpoint()) {
    look_for_sign();
    return;
  }
  const Finding finding = look_at_checkpoints();
  const bool is_idle = doing_ == Task::none || doing_ == Task::let_go;
  if (finding.has_begun && is_idle) feed(event::Begun{});
  if (!finding.held.empty() && !has_told_of_held_) {
    has_told_of_held_ = true;
    voice_.warn(
        fmt::format("{} has not changed for a minute, but the program keeps it open for writing, "
                    "so that it does not count as complete; "
                    "--done line:TEXT or --verify can show that it is",
                    finding.held));
  }
  if (finding.whole.empty() || is_busy()) return;
  whole_ = finding.whole;
  evidence_ = finding.evidence;
  saved_at_ = finding.since;
  feed(event::Written{.date = saved_at_});
}

// --- what is kept ---

// @param is_doubtful  true: the program ended as one does that has not saved
void Driver::Loop::verify(bool is_doubtful) {
  if (!watches_checkpoint()) saved_at_ = watches_file() ? std::optional(seen_at_) : std::nullopt;
  if (options_->checkpoint_file.empty()) {
    feed(event::Kept{.date = saved_at_});
    return;
  }
  if (is_busy() && doing_ == Task::keep) {  // what is being kept is still needed
    awaits_verify_ = is_doubtful;
    return;
  }
  const bool has_ended = logic_.phase() == Phase::waiting;
  if (has_ended || !watches_checkpoint()) {
    looked_at_ = now();
    look_at_checkpoints();
    whole_ = candidates_.changed();
    if (has_ended && !whole_.empty()) {
      constexpr double kNanoseconds = 1e-9;
      const auto changed = static_cast<double>(whole_.back().changed) * kNanoseconds;
      saved_at_ = looked_at_ - std::max(wall_clock() - changed, 0.0);
    }
    evidence_ = Evidence::told;
    std::erase_if(whole_, [&](const SeenFile& file) {
      const bool needs_proof = is_doubtful && options_->verify.empty();
      return (has_ended && file == asked_file_) ||
             (needs_proof && !files_->judge(file, known_, candidates_));
    });
  }
  if (whole_.empty() || doing_ != Task::none) {
    refuse(fmt::format("{} is not new{}", options_->checkpoint_file,
                       is_doubtful ? ", or not complete" : ""));
  } else if (options_->verify.empty()) {
    accept();
  } else {
    whole_ = {whole_.back()};
    evidence_ = Evidence::verified;
    begin(Task::verify, [&] { return Value::object({{"status", files_->verify(whole_.back())}}); });
  }
}

void Driver::Loop::refuse(std::string why) {
  feed(event::Refused{.why = std::move(why)});
}

void Driver::Loop::on_verified(const Value& result) {
  std::int64_t status = 127;
  constexpr int kBySignal = 128;
  if (!result.is_null()) static_cast<void>(result.find("status")->get_integer(status));
  if (status == 0) {
    accept();
  } else {
    for (const SeenFile& file : whole_) see(Took{file});
    refuse(status > kBySignal ? fmt::format("--verify ended by signal {}", status - kBySignal)
                              : fmt::format("--verify ended with exit code {}", status));
  }
}

void Driver::Loop::accept() {
  keeping_.clear();
  writers_.clear();
  for (const SeenFile& file : whole_) {
    keeping_.push_back(known_.next());
    remember(Accepted{.generation = known_.next(), .evidence = evidence_, .file = file});
    see(Took{file});
  }
  if (whole_.back().is_folder && files_->marker() == Marker::none &&
      !std::exchange(has_told_of_folder_, true)) {
    voice_.say(
        fmt::format("{} is a folder: it counts as complete when nothing in it has changed for {} "
                    "and the program has no file in it open; "
                    "--done marker:NAME names a file that is written last",
                    whole_.back().path, format_duration(options_->settle)));
  }
  is_kept_told_ = false;
  begin(Task::keep, [&] { return to_value(files_->keep(known_, keeping_, logic_.run())); });
}

void Driver::Loop::on_copied(const Value& result) {
  const Outcome outcome =
      result.is_null() ? Outcome{.said = {"a checkpoint could not be kept"}} : outcome_of(result);
  remember(outcome);
  if (outcome.is_lost) {
    const std::string why =
        fmt::format("{} was written again before it was kept", whole_.back().path);
    if (is_kept_told_) {
      voice_.warn(why);
    } else {
      refuse(why);
    }
    return;
  }
  files_->forget_moves();
  let_go();
  tell_kept();
}

// Reports the newest checkpoint as saved. A second name has changed the time at which its inode changed.
void Driver::Loop::tell_kept() {
  for (SeenFile& file : whole_) {
    const auto now = files_->look(file.path);
    if (now && same(*now, file)) file = *now;
    if (now) see(Took{file});
  }
  newest_ = files_->name_of(whole_.back().path);
  if (!std::exchange(is_kept_told_, true))
    feed(event::Kept{.date = saved_at_, .file = whole_.back()});
}

// A checkpoint that is being kept is safe where it lies once its program has ended.
void Driver::Loop::see_end() {
  read_watch(true);
  const bool is_untouched = std::ranges::all_of(whole_, [&](const SeenFile& file) {
    const auto now = files_->look(file.path);
    return now && same(*now, file);
  });
  if (doing_ == Task::keep && !is_kept_told_ && is_untouched) tell_kept();
}

// --- starts ---

void Driver::Loop::prepare_launch() {
  if (is_busy()) {
    awaits_launch_ = true;  // until what is being copied is kept
    return;
  }
  if (options_->checkpoint_file.empty()) {
    start_program();
    return;
  }
  start_ = {.is_first = logic_.run() == 1 && known_.empty(),
            .began_empty = around_.began_empty,
            .launch = logic_.run()};
  begin(Task::prepare, [&] { return to_value(files_->prepare(known_, candidates_, start_)); });
}

// Gives up a start whose checkpoint is still being prepared; what is not finished is done again at the next one.
void Driver::Loop::abandon_launch() {
  const bool is_preparing = doing_ == Task::prepare;
  if (!is_preparing && !awaits_launch_) return;
  awaits_launch_ = false;
  if (is_preparing) {
    task_.reset();
    doing_ = Task::none;
  }
  feed(event::Ended{.signal = SIGTERM});
}

void Driver::Loop::set_aside() {
  if (is_busy()) {
    awaits_aside_ = true;
    return;
  }
  const bool may_begin_anew = options_->rules.from_scratch;
  const auto aside = files_->set_aside(known_, from_, logic_.run(), may_begin_anew);
  for (const Entry& entry : aside.entries) remember(entry);
  feed(event::Aside{.file = aside.file, .left = aside.left, .may_begin_anew = may_begin_anew});
}

void Driver::Loop::put_back() {
  for (const Entry& entry : files_->put_back(known_)) remember(entry);
}

}  // namespace holdfast::field
