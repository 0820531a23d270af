// The actions of the machine.
#include "holdfast/base/system.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/field/driver_loop.hpp"
#include "holdfast/field/named_pipe.hpp"
#include "holdfast/field/slurm_job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

namespace fs = std::filesystem;

/// Seconds from a SIGKILL to the next look for remaining processes.
constexpr double kAfterKill = 0.005;
constexpr double kBetweenWarnings = 600;
constexpr double kBetweenTimeLeft = 300;

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace

void Driver::Loop::perform(const Action& action) {
  using Kind = Action::Kind;
  switch (action.kind) {
    case Kind::start:
      launch(false);
      break;
    case Kind::start_anew:
      launch(true);
      break;
    case Kind::ask:
      ask();
      break;
    case Kind::keep:
      verify(action.is_doubtful);
      break;
    case Kind::terminate:
      abandon_launch();
      tell("stop\n");
      if (program_) send(*program_, SIGTERM);
      break;
    case Kind::kill_all:
      abandon_launch();
      is_killing_ = true;
      kill_look_ = 0;
      kill_more();
      break;
    case Kind::set_aside:
      set_aside();
      break;
    case Kind::put_back:
      put_back();
      break;
    case Kind::write:
      write(*action.entry, action.is_durable ? Durable::now : Durable::soon);
      break;
    case Kind::say:
      voice_.say(action.text);
      break;
    case Kind::warn:
      voice_.warn(action.text);
      break;
    case Kind::requeue:
      requeue();
      break;
    case Kind::list_leftovers:
      if (!options_->rules.kill_leftovers) list_leftovers();
      break;
    case Kind::leave:
      leave(action.code);
      break;
  }
}

void Driver::Loop::write(const JournalEntry& entry, Durable durable) {
  Value line = line_of(entry, {wall_clock(), now(), boot_, logic_.run()});
  around_.history->take(line);
  Status done = journal_->append(std::move(line), durable);
  if (done && journal_->is_long()) done = compact(*journal_, *around_.history);
  if (!done && now() - warned_at_ >= kBetweenWarnings) {
    warned_at_ = now();
    voice_.warn(fmt::format("{}; the job goes on, and what was to be written waits in memory",
                            done.error().text()));
  }
}

std::vector<std::string> Driver::Loop::environment() const {
  constexpr auto kOurs = std::to_array<std::string_view>(
      {"HOLDFAST_GUARD", "HOLDFAST_RUN", "HOLDFAST_CHECKPOINT", "HOLDFAST_PIPE",
       "HOLDFAST_REQUESTS", "HOLDFAST_ADVISOR", "HOLDFAST_INTERVAL"});
  auto out = environment_without(kOurs);
  const std::string& directory = options_->directory;
  out.push_back(fmt::format("HOLDFAST_GUARD={}", directory));
  out.push_back(fmt::format("HOLDFAST_RUN={}", logic_.run()));
  out.push_back(fmt::format("HOLDFAST_CHECKPOINT={}", starts_anew_ ? std::string() : newest_));
  out.push_back(fmt::format("HOLDFAST_PIPE={}/pipe", directory));
  out.push_back(fmt::format("HOLDFAST_REQUESTS={}/requests", directory));
  out.push_back(fmt::format("HOLDFAST_ADVISOR={}/advisor.json", directory));
  out.push_back(fmt::format("HOLDFAST_INTERVAL={}", interval()));
  return out;
}

// Returns the planned period in whole seconds, for programs that the guard does not ask to save.
std::int64_t Driver::Loop::interval() const {
  const double interval = pace_->estimate(now()).interval.value_or(3600);
  return static_cast<std::int64_t>(std::clamp(std::round(interval), 1.0, 1e9));
}

void Driver::Loop::launch(bool anew) {
  starts_anew_ = anew;
  read_events();
  if (around_.before_launch) {
    if (const Status done = around_.before_launch(now()); !done) voice_.warn(done.error().text());
  }
  prepare_launch();
}

void Driver::Loop::start_program() {
  Start how{.words = options_->command, .environment = environment()};
  if (!options_->restart_command.empty() && logic_.has_checkpoint() && !starts_anew_) {
    how.words = {"/bin/sh", "-c", options_->restart_command};
  }
  for (std::string& word : how.words) {
    word = replaced(std::move(word), "{interval}", std::to_string(interval()));
    word =
        replaced(std::move(word), "{minutes}", to_text(static_cast<double>(interval()) / 60.0, 4));
  }
  if (auto requests = make_pipe(fs::path(options_->directory) / "requests")) {
    requests_ = std::move(*requests);
  }
  std::array<int, 2> ends = {-1, -1};
  const bool reads_lines = options_->done.kind == Condition::Kind::line ||
                           options_->ready.kind == Condition::Kind::line ||
                           options_->progress.kind == Condition::Kind::line;
  if (reads_lines && ::pipe2(ends.data(), O_CLOEXEC) == 0) how.out = ends[1];
  // A request ends with the program that it was for.
  if (options_->rules.asks_by_file()) ::unlink(options_->trigger_text.c_str());
  before_ = look_at(options_->done.text);
  seen_ = before_;
  read_watch(false);
  watch_.add(files_->folders());
  see(Launched{files_->files()});
  ready_before_ = look_at(options_->ready.text);
  auto started = start(how);
  if (ends[1] >= 0) ::close(ends[1]);
  output_ = Descriptor(ends[0]);
  if (ends[0] >= 0) ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  if (!started) {
    feed(event::NotLaunched{.why = started.error().text()});
    return;
  }
  program_ = *started;
  program_end_ = end_of(*started);
  sessions_ = {started->pid};
  running_ = writers_ = {};
  running_at_ = now();
  is_launcher_ = launcher_of(how.words) == Launcher::mpi;
  had_ranks_ = false;
  alone_since_ = Rules::kNever;
  progress_.reset();
  sender_.give_up();
  processor_time_ = 0;
  next_busy_ = now();
  feed(event::Launched{.pid = started->pid,
                       .start = static_cast<std::int64_t>(started->start),
                       .from = starts_anew_ ? std::string() : newest_,
                       .command = how.words});
}

void Driver::Loop::tell(std::string_view request) {
  if (requests_.get() < 0) return;
  [[maybe_unused]] const auto told = ::write(requests_.get(), request.data(), request.size());
}

// Kills processes until none is left, because one may be started between the look and the signal.
void Driver::Loop::kill_more() {
  reap();
  std::size_t left = 0;
  for (const ProcessId& process : job_processes(sessions_)) {
    if (is_helper(process)) continue;
    ++left;
    send(process, SIGKILL);
  }
  if (left > 0 || program_) {
    kill_look_ = now() + kAfterKill;
    return;
  }
  is_killing_ = false;
  feed(event::Cleared{});
}

void Driver::Loop::list_leftovers() {
  for (const ProcessId& process : job_processes(sessions_)) {
    const auto state = state_of(process.pid);
    // The daemon of OpenMPI ends by itself, a little later than a program that was started without mpirun.
    if (!state || state->name == "orted" || state->name == "prted") continue;
    voice_.warn(fmt::format("the program left process {} ({}) behind; --kill-leftovers ends it",
                            process.pid, printable(state->name)));
  }
}

bool Driver::Loop::has_slurm_requeued() const {
  return slurm_->check_nodes().down && slurm_->is_requeued();
}

void Driver::Loop::requeue() {
  if (slurm_ == nullptr) return;
  write(entry::Requeue{}, Durable::now);
  if (const Status done = slurm_->requeue(); !done) {
    if (has_slurm_requeued()) {
      voice_.say("Slurm has put the job into the queue again by itself, because a node went down");
      return;
    }
    voice_.warn(fmt::format("not put into the queue again: {}; submit the script again to go on",
                            done.error().text()));
  }
}

void Driver::Loop::tell_time_left() {
  next_time_left_ = Rules::kNever;
  if (slurm_ == nullptr || options_->time_limit != Rules::kNever) return;
  next_time_left_ = now() + kBetweenTimeLeft;
  if (const auto seconds = slurm_->time_left()) {
    feed(event::TimeLeft{.seconds = *seconds});
  }
}

void Driver::Loop::leave(int code) {
  constexpr double kSoon = 60;
  if (slurm_ != nullptr && now() - asked_at_ <= kSoon && !has_told_of_requeue_ &&
      options_->rules.trigger == Trigger::signal && code != 0 && slurm_->is_requeued() &&
      !has_slurm_requeued()) {
    tell_of_requeue();
  }
  task_.reset();
  if (code == 0) {  // nobody comes back to a job that has finished
    for (const std::string& folder : files_->finish(known_))
      voice_.say(fmt::format("what was set aside lies in {}", folder));
  }
  files_->clean();
  end_output();
  if (options_->gives_code && (code == 0 || code == 1)) {
    code = last_signal_ != 0 ? 128 + last_signal_ : last_code_;
  }
  journal_->flush();
  code_ = journal_->has_lost() && code == 0 ? 4 : code;
}

}  // namespace holdfast::field
