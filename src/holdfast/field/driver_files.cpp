// How a program is asked to save, and what a guard learns from its files.
#include "holdfast/base/command.hpp"
#include "holdfast/base/node_names.hpp"
#include "holdfast/field/driver_loop.hpp"
#include "holdfast/field/messages.hpp"
#include "holdfast/field/node_events.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

/// Seconds between two looks at a file while a change is expected soon, while one is possible, and otherwise.
constexpr double kExpectant = 0.02;
constexpr double kAttentive = 0.2;
constexpr double kCalm = 1;

}  // namespace

double Driver::Loop::next_look() const {
  if (is_killing_) return kill_look_;
  double interval = Rules::kNever;
  const Phase phase = machine_.phase();
  const bool waits_for_file =
      options_->done.kind == Sign::Kind::file || options_->done.kind == Sign::Kind::gone;
  if (phase == Phase::saving && (waits_for_file || sender_.is_due())) interval = kExpectant;
  if (phase == Phase::starting && options_->ready.kind == Sign::Kind::file) interval = kAttentive;
  if (phase == Phase::running && options_->done.kind == Sign::Kind::file) {
    interval = options_->rules.can_ask() ? kCalm : kAttentive;
  }
  if (program_ && options_->progress.kind == Sign::Kind::file) interval = std::min(interval, kCalm);
  if (program_ && is_launcher_) interval = std::min(interval, kCalm);
  if (around_.events != nullptr) interval = std::min(interval, kCalm);
  return looked_at_ + interval;
}

void Driver::Loop::look() {
  looked_at_ = now();
  const Phase phase = machine_.phase();
  const bool works = phase == Phase::running || phase == Phase::saving;
  phase == Phase::saving ? send_when_handled() : sender_.give_up();
  if (phase == Phase::saving) look_for_requeue();
  if (phase == Phase::starting && options_->ready.kind == Sign::Kind::file) {
    const auto file = look_at(options_->ready.text);
    if (file && file != ready_before_) feed(event::Ready{});
  }
  if (works && options_->done.kind == Sign::Kind::file) look_for_checkpoint();
  if (phase == Phase::saving && options_->done.kind == Sign::Kind::gone &&
      ::access(options_->trigger_text.c_str(), F_OK) != 0) {
    feed(event::Written{});
  }
  if (works && options_->progress.kind == Sign::Kind::file) read_progress();
  if (program_ && is_launcher_) look_for_ranks();
  if (around_.events != nullptr) read_events();
}

std::optional<SeenFile> Driver::Loop::done_file() const {
  return options_->done.text == options_->checkpoint_file ? files_->newest()
                                                          : look_at(options_->done.text);
}

void Driver::Loop::look_for_checkpoint() {
  auto file = done_file();
  if (file == seen_) {
    const bool is_new = file && file != before_;
    if (is_new && looked_at_ - seen_at_ >= options_->settle) {
      before_ = file;
      feed(event::Written{.date = seen_at_});
    }
    return;
  }
  seen_ = std::move(file);
  seen_at_ = looked_at_;
  if (seen_) feed(event::Begun{});
}

void Driver::Loop::read_progress() {
  const int file = ::open(options_->progress.text.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return;
  std::array<char, 256> buffer;
  const auto count = ::read(file, buffer.data(), buffer.size());
  ::close(file);
  if (count <= 0) return;
  const auto done = number_behind({buffer.data(), static_cast<std::size_t>(count)}, "");
  if (!done || done == progress_) return;
  progress_ = done;
  feed(event::Progress{.done = *done, .total = options_->total});
}

// Skips the rows that exist when a job begins. Rows that were added while no guard ran are new.
void Driver::Loop::begin_events() {
  if (around_.events == nullptr) return;
  if (around_.is_new) {
    static_cast<void>(around_.events->read());
    around_.seen_events = around_.events->rows();
  }
  write(Value::object({{"kind", "events"}, {"row", around_.seen_events}}), Durable::now);
  read_events();
}

void Driver::Loop::read_events() {
  if (around_.events == nullptr) return;
  for (const NodeEvents::Row& row : around_.events->read()) {
    const auto node = node_number(options_->nodes, row.node);
    if (!node || row.number <= around_.seen_events) continue;
    feed(event::NodeFailed{.node = node, .name = row.node, .row = row.number});
  }
  const std::string& trouble = around_.events->trouble();
  if (!trouble.empty() && !has_warned_of_events_) {
    has_warned_of_events_ = true;
    voice_.warn(fmt::format("{}: {}", options_->events, trouble));
  }
}

// Kills a launcher without ranks: the mpirun of Debian 12 may never end after a rank was killed.
void Driver::Loop::look_for_ranks() {
  constexpr double kPatience = 10;
  if (has_children(program_->pid)) {
    had_ranks_ = true;
    alone_since_ = Rules::kNever;
  } else if (had_ranks_ && alone_since_ == Rules::kNever) {
    alone_since_ = looked_at_;
  } else if (had_ranks_ && looked_at_ - alone_since_ > kPatience) {
    send(*program_, SIGKILL);
  }
}

// Returns true if a file that changed since it was kept is complete. It is if the program replaced the old file by a new one.
bool Driver::Loop::is_whole(const SeenFile& file) {
  const auto& kept = files_->kept();
  if (options_->verify.empty()) return kept && kept->inode != file.inode;
  const auto done = run_command(verify_words(file));
  return done && done->status == 0;
}

std::vector<std::string> Driver::Loop::verify_words(const SeenFile& file) const {
  return {"/usr/bin/env", fmt::format("HOLDFAST_CHECKPOINT={}", file.path), "/bin/sh", "-c",
          options_->verify};
}

// Sends a due signal once it is handled. A program that has just started may have no handler yet, and the signal would end it.
void Driver::Loop::send_when_handled() {
  if (!program_) return;
  sender_.look(looked_at_);
  const std::string complaint = sender_.complaint(looked_at_);
  if (!complaint.empty()) voice_.warn(complaint);
}

// Looks for a program that asks Slurm to requeue its own job when it is asked to save, as Lightning does.
void Driver::Loop::look_for_requeue() {
  const bool asks_by_signal =
      options_->rules.trigger == Trigger::signal || options_->rules.trigger == Trigger::stop;
  if (slurm_ == nullptr || !asks_by_signal || has_told_of_requeue_) return;
  for (const ProcessState& process : all_processes()) {
    if (process.name != "scontrol") continue;
    const auto words = words_of(process.id.pid);
    if (std::ranges::find(words, "requeue") != words.end()) tell_of_requeue();
  }
}

void Driver::Loop::tell_of_requeue() {
  if (std::exchange(has_told_of_requeue_, true)) return;
  constexpr std::string_view kSaid =
      "the program requeues its own job when it gets the signal of --trigger, so that each "
      "checkpoint would end it: have it leave that to the guard (Lightning: "
      "SLURMEnvironment(auto_requeue=False)), or use --trigger api";
  write(Value::object({{"kind", "warning"}, {"text", kSaid}}), Durable::now);
  voice_.warn(kSaid);
}

void Driver::Loop::ask() {
  before_ = done_file();
  seen_ = before_;
  asked_at_ = looked_at_ = now();
  asked_file_ = files_->newest();
  switch (options_->rules.trigger) {
    case Trigger::signal:
    case Trigger::stop:
      if (program_) sender_.begin(*program_, looked_at_);
      send_when_handled();
      break;
    case Trigger::file:
    case Trigger::stop_file: {
      const std::string& text = options_->trigger_contents;
      const Descriptor file(
          ::open(options_->trigger_text.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
      const auto size = static_cast<ssize_t>(text.size());
      if (file.get() < 0 || ::write(file.get(), text.data(), text.size()) != size) {
        feed(event::SaveFailed{fmt::format("{} cannot be made: {}", options_->trigger_text,
                                           std::generic_category().message(errno))});
      }
      break;
    }
    case Trigger::command: {
      auto started = start({.words = {"/bin/sh", "-c", options_->trigger_text},
                            .environment = environment(),
                            .takes_input = false});
      if (started) {
        asker_ = *started;
      } else {
        feed(event::SaveFailed{started.error().text()});
      }
      break;
    }
    case Trigger::pipe:
    case Trigger::api:
      tell("checkpoint\n");
      break;
    case Trigger::none:
      break;
  }
}

void Driver::Loop::verify(bool is_doubtful) {
  written_ = options_->checkpoint_file.empty() ? std::nullopt : files_->newest();
  const bool has_ended = machine_.phase() == Phase::waiting;
  const bool is_new =
      written_ && written_ != files_->kept() && !(has_ended && written_ == asked_file_);
  if (!options_->checkpoint_file.empty() && !is_new) {
    feed(event::Refused{.why = fmt::format("{} is not new", options_->checkpoint_file)});
    return;
  }
  if (options_->verify.empty() && written_ && is_doubtful && !is_whole(*written_)) {
    feed(event::Refused{.why = fmt::format("{} may be half written", written_->path)});
    return;
  }
  if (options_->verify.empty() || !written_) return keep_verified();
  auto started =
      start({.words = verify_words(*written_), .environment = environment(), .takes_input = false});
  if (started) {
    verifier_ = *started;
  } else {
    feed(event::Refused{.why = started.error().text()});
  }
}

void Driver::Loop::keep_verified() {
  if (!written_) {
    feed(event::Kept{.date = settled()});
    return;
  }
  if (const Status kept = files_->keep(*written_); !kept) {
    voice_.warn(kept.error().text());  // the checkpoint exists nevertheless, but without a copy
    files_->remember(*written_);
  }
  before_ = done_file();
  seen_ = before_;
  feed(event::Kept{.date = settled(), .file = to_value(*written_)});
}

// Returns when a file that has not changed for some time was written: before that time.
std::optional<double> Driver::Loop::settled() const {
  const bool is_plain = options_->done.kind == Sign::Kind::file && options_->verify.empty();
  return is_plain ? std::optional(seen_at_) : std::nullopt;
}

// A program that was killed in its first save may leave half a checkpoint. Where the job began without any, none was accepted,
// and a start from this file ended without changing it, nothing that counts as saved is lost if the program starts over.
bool Driver::Loop::is_unfinished_first() const {
  return around_.began_empty && !files_->kept() && started_from_ &&
         files_->newest() == started_from_;
}

void Driver::Loop::set_aside() {
  const bool may_begin_anew = options_->rules.from_scratch || is_unfinished_first();
  const auto done = files_->set_aside(may_begin_anew);
  if (!done) voice_.warn(done.error().text());
  const auto aside = done.value_or(CheckpointFiles::Aside{});
  feed(event::Aside{.file = aside.file, .left = aside.left, .may_begin_anew = may_begin_anew});
}

}  // namespace holdfast::field
