// The events of a guarded program, and the times at which the driver looks for them.
#include "holdfast/field/driver.hpp"

#include "holdfast/base/clock.hpp"
#include "holdfast/base/node_names.hpp"
#include "holdfast/base/system.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/field/driver_loop.hpp"
#include "holdfast/field/messages.hpp"
#include "holdfast/field/named_pipe.hpp"
#include "holdfast/field/node_events.hpp"
#include "holdfast/field/slurm_job.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <utility>

namespace holdfast::field {
double Driver::Loop::now() const {
  return time_on(CLOCK_MONOTONIC) - zero_;
}

double Driver::Loop::wall_clock() {
  return time_on(CLOCK_REALTIME);
}

Result<int> Driver::Loop::run(double clock, const GuardLogic::Past& past) {
  zero_ = time_on(CLOCK_MONOTONIC) - clock;
  logic_.resume(past);
  boot_ = boot_id();
  HOLDFAST_CHECK(listen());
  adopt_orphans();
  begin_events();
  tell_time_left();
  if (options_->time_limit != Rules::kNever) {
    feed(event::TimeLeft{.seconds = options_->time_limit});
  }
  feed(event::Begin{});
  while (!code_) wait();
  return *code_;
}

Rules Driver::Loop::rules_of(const GuardOptions& options, const SlurmJob* slurm) {
  Rules out = options.rules;
  out.requeues = slurm != nullptr && !options.never_requeues;
  out.has_file = !options.checkpoint_file.empty();
  return out;
}

Status Driver::Loop::listen() {
  sigset_t wanted;
  ::sigemptyset(&wanted);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD}) {
    // Signals that the parent ignores (nohup) stay ignored.
    struct sigaction present {};
    ::sigaction(signal, nullptr, &present);
    if (present.sa_handler != SIG_IGN || signal == SIGCHLD) ::sigaddset(&wanted, signal);
  }
  ::signal(SIGCHLD, SIG_DFL);
  ::signal(SIGPIPE, SIG_IGN);
  ::sigprocmask(SIG_BLOCK, &wanted, nullptr);
  signals_ = Descriptor(::signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC));
  if (signals_.get() < 0) {
    return fail(ErrorCode::io_failure, "signals",
                fmt::format("cannot be read: {}", std::generic_category().message(errno)));
  }
  HOLDFAST_TRY(pipe, make_pipe(std::filesystem::path(options_->directory) / "pipe"));
  pipe_ = std::move(pipe);
  return {};
}

void Driver::Loop::feed(Event event) {
  events_.push_back(std::move(event));
  if (is_feeding_) return;
  is_feeding_ = true;
  while (!events_.empty() && !code_) {
    const Event next = std::move(events_.front());
    events_.pop_front();
    for (const Action& action : logic_.step(next, now())) perform(action);
  }
  is_feeding_ = false;
}

void Driver::Loop::wait() {
  const bool can_take = out_.can_take(now());
  const auto wanted = static_cast<short>(can_take ? POLLIN : 0);
  std::array<pollfd, 7> ends = {{{signals_.get(), POLLIN, 0},
                                 {pipe_.get(), POLLIN, 0},
                                 {can_take ? output_.get() : -1, wanted, 0},
                                 {out_.is_empty() ? -1 : out_.descriptor(), POLLOUT, 0},
                                 {task_ ? task_->descriptor() : -1, POLLIN, 0},
                                 {program_end_.get(), POLLIN, 0},
                                 {asker_end_.get(), POLLIN, 0}}};
  const double patience = can_take ? Rules::kNever : out_.patient_until();
  const double left =
      std::min({logic_.wake(), next_look(), next_time_left_, next_busy_, patience}) - now();
  const double seconds = std::clamp(left, 0.0, 3600.0);
  timespec limit{};
  limit.tv_sec = static_cast<time_t>(seconds);
  limit.tv_nsec = static_cast<long>(1e9 * (seconds - std::floor(seconds)));
  ::ppoll(ends.data(), ends.size(), &limit, nullptr);
  if (ends[3].revents != 0) out_.flush(now());
  if (ends[1].revents != 0) read_pipe();
  if (ends[2].revents != 0) read_output();
  if (ends[4].revents != 0 && task_ && task_->has_ended()) on_task_end(task_->result());
  if (ends[0].revents != 0) read_signals();
  // Where other threads of the process take signals too, as in Python, the signal that tells of a child's end may be lost.
  if (ends[5].revents != 0 || ends[6].revents != 0) reap();
  if (is_killing_ && now() >= kill_look_) kill_more();
  if (now() >= next_look()) look();
  if (now() >= next_time_left_) tell_time_left();
  if (now() >= next_busy_) look_for_work();
  feed(event::Tick{});
}

// Looks whether the program computes: at its start, that tells a long one from one that waits for ever.
void Driver::Loop::look_for_work() {
  constexpr double kBetweenLooks = 30;
  constexpr double kBusy = 0.01;
  next_busy_ = logic_.is_starting() ? now() + kBetweenLooks : Rules::kNever;
  const double used = processor_time(job_processes(sessions_));
  if (used - processor_time_ > kBusy * kBetweenLooks) feed(event::Busy{});
  processor_time_ = used;
}

void Driver::Loop::read_signals() {
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
    const auto signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGUSR1) feed(event::SaveNow{});
    if (signal == SIGUSR2) feed(event::EndNow{});
    if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP) {
      feed(event::Stop{.signal = signal});
    }
  }
  reap();
}

void Driver::Loop::reap() {
  int status = 0;
  for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (program_ && pid == program_->pid) {
      program_.reset();
      program_end_ = Descriptor();
      read_output();
      read_pipe();
      on_program_end(code, signal);
    } else if (asker_ && pid == asker_->pid) {
      asker_.reset();
      asker_end_ = Descriptor();
      if (signal != 0) {
        feed(event::SaveFailed{fmt::format("the command of --trigger ended by signal {}", signal)});
      } else if (code != 0) {
        feed(event::SaveFailed{
            fmt::format("the command of --trigger ended with exit code {}", code)});
      } else if (options_->done.kind == Condition::Kind::exit) {
        feed(event::Written{});
      }
    } else if (task_ && pid == task_->pid()) {
      task_->reaped();
    }
  }
}

void Driver::Loop::on_program_end(int code, int signal) {
  last_code_ = code;
  last_signal_ = signal;
  see_end();
  const bool has_failed = signal != 0 || code != 0;
  if (has_failed) read_events();  // the monitor of the nodes may have reported the reason
  const bool has_file = ::access(options_->trigger_text.c_str(), F_OK) == 0;
  event::Ended ended{
      .code = code, .signal = signal, .took_request = options_->rules.asks_by_file() && !has_file};
  if (has_failed && slurm_ != nullptr) {
    const NodeCheck check = slurm_->check_nodes();
    if (check.down) {
      ended.reason = fmt::format("node {} is down", check.name);
      feed(event::NodeToBlame{.node = node_number(options_->nodes, check.name)});
      feed(event::MustRequeue{});
    }
  }
  feed(std::move(ended));
}

void Driver::Loop::read_pipe() {
  std::array<char, 4096> buffer;
  for (;;) {
    const auto count = ::read(pipe_.get(), buffer.data(), buffer.size());
    if (count <= 0) return;
    messages_.take({buffer.data(), static_cast<std::size_t>(count)}, [&](std::string_view line) {
      auto event = read_message(line);
      if (!event) return;
      const auto is_of_another = [&](const Condition& sign) {
        return sign.kind != Condition::Kind::pipe;
      };
      if (std::holds_alternative<event::Ready>(*event) && is_of_another(options_->ready)) return;
      if (std::holds_alternative<event::Written>(*event) && is_of_another(options_->done)) return;
      feed(std::move(*event));
    });
  }
}

void Driver::Loop::read_output() {
  if (output_.get() < 0) return;
  std::array<char, 65536> buffer;
  while (out_.can_take(now())) {
    const auto count = ::read(output_.get(), buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) output_ = Descriptor();
    if (count <= 0) return;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    out_.take(bytes, now());
    if (out_.dropped() > 0 && !std::exchange(has_told_of_dropped_, true)) {
      voice_.warn("nobody reads the standard output: what the program writes there is dropped");
    }
    feed(event::Alive{});
    lines_.take(bytes, [&](std::string_view line) { on_line(line); });
  }
}

// Lets a reader that still reads have what waits for it.
void Driver::Loop::end_output() {
  while (!out_.is_empty() && now() < out_.patient_until()) {
    pollfd end{out_.descriptor(), POLLOUT, 0};
    constexpr int kMilliseconds = 100;
    ::poll(&end, 1, kMilliseconds);
    out_.flush(now());
  }
  out_.give_up();
  if (out_.dropped() == 0) return;
  const auto bytes = static_cast<std::int64_t>(out_.dropped());
  write(entry::Dropped{bytes}, Durable::soon);
  voice_.warn(
      fmt::format("{} of output were dropped, because nobody read them", counted(bytes, "byte")));
}

void Driver::Loop::on_line(std::string_view line) {
  const auto holds = [&](const Condition& sign) {
    return sign.kind == Condition::Kind::line && line.find(sign.text) != std::string_view::npos;
  };
  if (options_->progress.kind == Condition::Kind::line) {
    if (const auto done = number_behind(line, options_->progress.text)) {
      feed(event::Progress{.done = *done, .total = options_->total});
    }
  }
  // Each rank may print this line, so only the first one counts.
  if (holds(options_->ready) && logic_.phase() == Phase::starting) feed(event::Ready{});
  if (holds(options_->done)) feed(event::Written{});
}

Driver::Driver(const GuardOptions& options, Pace& pace, JournalWriter& journal,
               CheckpointFiles& files, GuardEnvironment around, Voice voice)
    : loop_(std::make_unique<Loop>(options, pace, journal, files, std::move(around),
                                   std::move(voice))) {}

Driver::~Driver() = default;

Result<int> Driver::run(double clock, const GuardLogic::Past& past) {
  return loop_->run(clock, past);
}

}  // namespace holdfast::field
