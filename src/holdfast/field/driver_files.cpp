// How a program is asked to save, and what a guard learns from its files.
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
  const Phase phase = logic_.phase();
  const bool waits_for_file = watches_file() || options_->done.kind == Condition::Kind::gone;
  if (phase == Phase::saving && (waits_for_file || sender_.is_due())) interval = kExpectant;
  if (phase == Phase::starting && options_->ready.kind == Condition::Kind::file)
    interval = kAttentive;
  if (phase == Phase::running && watches_file()) {
    interval = options_->rules.can_ask() ? kCalm : kAttentive;
  }
  if (program_ && options_->progress.kind == Condition::Kind::file)
    interval = std::min(interval, kCalm);
  if (program_ && is_launcher_) interval = std::min(interval, kCalm);
  if (around_.events != nullptr) interval = std::min(interval, kCalm);
  if (task_) interval = std::min(interval, kAttentive);
  // Large folders take their time.
  constexpr double kMostShare = 20;
  return looked_at_ + std::max(interval, kMostShare * look_seconds_);
}

void Driver::Loop::look() {
  looked_at_ = now();
  const Phase phase = logic_.phase();
  const bool works = phase == Phase::running || phase == Phase::saving;
  phase == Phase::saving ? send_when_handled() : sender_.give_up();
  if (phase == Phase::saving) look_for_requeue();
  if (phase == Phase::starting && options_->ready.kind == Condition::Kind::file) {
    const auto file = look_at(options_->ready.text);
    if (file && file != ready_before_) feed(event::Ready{});
  }
  if (works && watches_file()) look_for_checkpoint();
  if (doing_ == Task::prepare || awaits_launch_) feed(event::Alive{});
  if (phase == Phase::saving && options_->done.kind == Condition::Kind::gone &&
      ::access(options_->trigger_text.c_str(), F_OK) != 0) {
    feed(event::Written{});
  }
  if (works && options_->progress.kind == Condition::Kind::file) read_progress();
  if (program_ && is_launcher_) look_for_ranks();
  if (around_.events != nullptr) read_events();
}

// Looks at a file that is another one than the checkpoint.
void Driver::Loop::look_for_sign() {
  auto file = look_at(options_->done.text);
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
  write(entry::Events{around_.seen_events}, Durable::now);
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
  write(entry::Warning{std::string(kSaid)}, Durable::now);
  voice_.warn(kSaid);
}

void Driver::Loop::ask() {
  before_ = look_at(options_->done.text);
  seen_ = before_;
  asked_at_ = looked_at_ = now();
  const auto files = files_->files();
  asked_file_ = files.empty() ? std::nullopt : std::optional(files.back());
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
        asker_end_ = end_of(*started);
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

}  // namespace holdfast::field
