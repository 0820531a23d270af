#include "holdfast/field/driver.hpp"

#include "holdfast/base/command.hpp"
#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/field/lines.hpp"
#include "holdfast/field/machine.hpp"
#include "holdfast/field/messages.hpp"
#include "holdfast/field/process.hpp"
#include "holdfast/field/slurm_job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <deque>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

namespace fs = std::filesystem;

/// How often a file is looked at while something is expected of it, and while nothing is.
constexpr double kExpectant = 0.02;
constexpr double kAttentive = 0.2;
constexpr double kCalm = 1;
/// How soon after a SIGKILL it is looked whether something is left.
constexpr double kAfterKill = 0.005;
/// How long a program may run without a handler for the signal that asks it to save.
constexpr double kPatienceWithHandler = 10;
constexpr double kBetweenWarnings = 600;
constexpr double kBetweenTimeLeft = 300;
constexpr std::size_t kLongestMessage = 512;
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

double monotonic() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_clock() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A pipe with a name, made again. Held open at both ends, so that a reader who goes is no end.
Result<Descriptor> make_pipe(const fs::path& path) {
  ::unlink(path.c_str());
  if (::mkfifo(path.c_str(), 0600) != 0) {
    return fail(ErrorCode::io_failure, path.string(),
                fmt::format("cannot make a pipe: {}", std::generic_category().message(errno)));
  }
  Descriptor out(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
  if (out.get() < 0) {
    return fail(ErrorCode::io_failure, path.string(),
                fmt::format("cannot open: {}", std::generic_category().message(errno)));
  }
  return out;
}

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace

/// All that lives as long as a guard runs.
class Driver::Loop {
 public:
  Loop(const GuardOptions& options, Pace& pace, JournalWriter& journal, CheckpointFiles& files,
       SlurmJob* slurm, Voice voice)
      : options_(&options),
        pace_(&pace),
        journal_(&journal),
        files_(&files),
        slurm_(slurm),
        voice_(std::move(voice)),
        machine_(rules_of(options, slurm), pace) {}

  Result<int> run(double clock, std::int64_t launches) {
    zero_ = monotonic() - clock;
    machine_.resume(launches);
    boot_ = boot_id();
    HOLDFAST_CHECK(listen());
    adopt_orphans();
    tell_time_left();
    if (options_->time_limit != Rules::kNever) {
      feed({.kind = Event::Kind::time_left, .number = options_->time_limit});
    }
    feed({.kind = Event::Kind::begin});
    while (!code_) wait();
    return *code_;
  }

 private:
  static Rules rules_of(const GuardOptions& options, const SlurmJob* slurm) {
    Rules out = options.rules;
    out.requeues = slurm != nullptr && options.requeues;
    return out;
  }

  [[nodiscard]] double now() const { return monotonic() - zero_; }

  Status listen() {
    sigset_t wanted;
    ::sigemptyset(&wanted);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD}) {
      // What the parent ignores (nohup) stays ignored.
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
    HOLDFAST_TRY(pipe, make_pipe(fs::path(options_->directory) / "pipe"));
    pipe_ = std::move(pipe);
    return {};
  }

  // --- events ---

  void feed(Event event) {
    events_.push_back(std::move(event));
    if (is_feeding_) return;
    is_feeding_ = true;
    while (!events_.empty() && !code_) {
      const Event next = std::move(events_.front());
      events_.pop_front();
      for (const Action& action : machine_.step(next, now())) perform(action);
    }
    is_feeding_ = false;
  }

  void wait() {
    std::array<pollfd, 3> ends = {
        {{signals_.get(), POLLIN, 0}, {pipe_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}}};
    const double left = std::min({machine_.wake(), next_look(), next_time_left_}) - now();
    const double seconds = std::clamp(left, 0.0, 3600.0);
    timespec limit{};
    limit.tv_sec = static_cast<time_t>(seconds);
    limit.tv_nsec = static_cast<long>(1e9 * (seconds - std::floor(seconds)));
    ::ppoll(ends.data(), ends.size(), &limit, nullptr);
    if (ends[1].revents != 0) read_pipe();
    if (ends[2].revents != 0) read_output();
    if (ends[0].revents != 0) read_signals();
    if (is_killing_ && now() >= kill_look_) kill_more();
    if (now() >= next_look()) look();
    if (now() >= next_time_left_) tell_time_left();
    feed({.kind = Event::Kind::tick});
  }

  void read_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
      const auto signal = static_cast<int>(info.ssi_signo);
      if (signal == SIGUSR1) feed({.kind = Event::Kind::save_now});
      if (signal == SIGUSR2) feed({.kind = Event::Kind::end_now});
      if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP) {
        feed({.kind = Event::Kind::stop, .signal = signal});
      }
    }
    reap();
  }

  void reap() {
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
      if (program_ && pid == program_->pid) {
        program_.reset();
        read_output();
        read_pipe();
        on_program_end(code, signal);
      } else if (asker_ && pid == asker_->pid) {
        asker_.reset();
        if (options_->done.kind != Sign::Kind::exit) continue;
        feed({.kind = signal == 0 && code == 0 ? Event::Kind::written : Event::Kind::save_failed});
      } else if (verifier_ && pid == verifier_->pid) {
        verifier_.reset();
        if (signal == 0 && code == 0) {
          keep_verified();
        } else {
          feed({.kind = Event::Kind::refused,
                .code = last_code_,
                .text = signal != 0 ? fmt::format("--verify ended by signal {}", signal)
                                    : fmt::format("--verify ended with exit code {}", code)});
        }
      }
    }
  }

  void on_program_end(int code, int signal) {
    last_code_ = code;
    last_signal_ = signal;
    const bool has_failed = signal != 0 || code != 0;
    Event event{.kind = Event::Kind::ended, .code = code, .signal = signal};
    if (has_failed && slurm_ != nullptr) {
      const NodeCheck check = slurm_->check_nodes();
      if (check.down) {
        event.text = fmt::format("node {} is down", check.name);
        feed({.kind = Event::Kind::node_to_blame, .node = check.down});
        feed({.kind = Event::Kind::must_requeue});
      }
      feed(std::move(event));
      return;
    }
    feed(std::move(event));
  }

  void read_pipe() {
    std::array<char, 4096> buffer;
    for (;;) {
      const auto count = ::read(pipe_.get(), buffer.data(), buffer.size());
      if (count <= 0) return;
      messages_.take({buffer.data(), static_cast<std::size_t>(count)}, [&](std::string_view line) {
        auto event = read_message(line);
        if (!event) return;
        const bool is_ours =
            (event->kind != Event::Kind::ready || options_->ready.kind == Sign::Kind::pipe) &&
            (event->kind != Event::Kind::written || options_->done.kind == Sign::Kind::pipe);
        if (is_ours) feed(std::move(*event));
      });
    }
  }

  void read_output() {
    if (output_.get() < 0) return;
    std::array<char, 65536> buffer;
    for (;;) {
      const auto count = ::read(output_.get(), buffer.data(), buffer.size());
      if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) output_ = Descriptor();
      if (count <= 0) return;
      const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
      pass_on(bytes);
      feed({.kind = Event::Kind::alive});
      lines_.take(bytes, [&](std::string_view line) { on_line(line); });
    }
  }

  void pass_on(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) {
        pollfd end{STDOUT_FILENO, POLLOUT, 0};
        ::poll(&end, 1, -1);
        continue;
      }
      if (count <= 0) return;  // nobody reads it any more: no reason to end the program
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void on_line(std::string_view line) {
    const auto holds = [&](const Sign& sign) {
      return sign.kind == Sign::Kind::line && line.find(sign.text) != std::string_view::npos;
    };
    if (options_->progress.kind == Sign::Kind::line) {
      if (const auto done = number_behind(line, options_->progress.text)) {
        feed({.kind = Event::Kind::progress, .number = *done, .total = options_->total});
      }
    }
    if (holds(options_->ready)) feed({.kind = Event::Kind::ready});
    if (holds(options_->done)) feed({.kind = Event::Kind::written});
  }

  // --- looking at files ---

  [[nodiscard]] double next_look() const {
    if (is_killing_) return kill_look_;
    double interval = Rules::kNever;
    const Phase phase = machine_.phase();
    const bool waits_for_file =
        options_->done.kind == Sign::Kind::file || options_->done.kind == Sign::Kind::gone;
    if (phase == Phase::saving && (waits_for_file || is_signal_due_)) interval = kExpectant;
    if (phase == Phase::starting && options_->ready.kind == Sign::Kind::file) interval = kAttentive;
    if (phase == Phase::running && options_->done.kind == Sign::Kind::file) {
      interval = options_->rules.can_ask() ? kCalm : kAttentive;
    }
    if (program_ && options_->progress.kind == Sign::Kind::file)
      interval = std::min(interval, kCalm);
    if (program_ && is_launcher_) interval = std::min(interval, kCalm);
    return looked_at_ + interval;
  }

  void look() {
    looked_at_ = now();
    const Phase phase = machine_.phase();
    const bool works = phase == Phase::running || phase == Phase::saving;
    if (phase == Phase::saving) send_when_handled();
    if (phase == Phase::starting && options_->ready.kind == Sign::Kind::file) {
      const auto file = look_at(options_->ready.text);
      if (file && file != ready_before_) feed({.kind = Event::Kind::ready});
    }
    if (works && options_->done.kind == Sign::Kind::file) look_for_checkpoint();
    if (phase == Phase::saving && options_->done.kind == Sign::Kind::gone &&
        ::access(options_->trigger_text.c_str(), F_OK) != 0) {
      feed({.kind = Event::Kind::written});
    }
    if (works && options_->progress.kind == Sign::Kind::file) read_progress();
    if (program_ && is_launcher_) look_for_ranks();
  }

  [[nodiscard]] std::optional<SeenFile> done_file() const {
    return options_->done.text == options_->checkpoint_file ? files_->newest()
                                                            : look_at(options_->done.text);
  }

  void look_for_checkpoint() {
    auto file = done_file();
    if (file == seen_) {
      const bool is_new = file && file != before_;
      if (is_new && looked_at_ - seen_at_ >= options_->settle) {
        before_ = file;
        feed({.kind = Event::Kind::written, .date = seen_at_});
      }
      return;
    }
    seen_ = std::move(file);
    seen_at_ = looked_at_;
    if (seen_) feed({.kind = Event::Kind::begun});
  }

  void read_progress() {
    const int file = ::open(options_->progress.text.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return;
    std::array<char, 256> buffer;
    const auto count = ::read(file, buffer.data(), buffer.size());
    ::close(file);
    if (count <= 0) return;
    const auto done = number_behind({buffer.data(), static_cast<std::size_t>(count)}, "");
    if (!done || done == progress_) return;
    progress_ = done;
    feed({.kind = Event::Kind::progress, .number = *done, .total = options_->total});
  }

  // The mpirun of Debian 12 may wait for ever in its own end once a rank was killed.
  void look_for_ranks() {
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

  // --- what the machine wants ---

  void perform(const Action& action) {
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
        verify();
        break;
      case Kind::terminate:
        tell("stop\n");
        if (program_) send(*program_, SIGTERM);
        break;
      case Kind::kill_all:
        is_killing_ = true;
        kill_look_ = 0;
        kill_more();
        break;
      case Kind::set_aside:
        set_aside();
        break;
      case Kind::put_back:
        files_->put_back();
        break;
      case Kind::write:
        write(action.entry, action.is_durable ? Durable::now : Durable::soon);
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

  void write(const Value& entry, Durable durable) {
    Value whole = Value::object(
        {{"time", wall_clock()}, {"clock", now()}, {"boot", boot_}, {"run", machine_.run()}});
    for (const auto& [name, value] : *entry.members()) whole.set(name, value);
    const Status done = journal_->append(std::move(whole), durable);
    if (!done && now() - warned_at_ >= kBetweenWarnings) {
      warned_at_ = now();
      voice_.warn(fmt::format("{}; the job goes on, and what was to be written waits in memory",
                              done.error().text()));
    }
  }

  [[nodiscard]] std::vector<std::string> environment() const {
    constexpr auto kOurs = std::to_array<std::string_view>(
        {"HOLDFAST_GUARD", "HOLDFAST_RUN", "HOLDFAST_CHECKPOINT", "HOLDFAST_PIPE",
         "HOLDFAST_REQUESTS", "HOLDFAST_ADVISOR", "HOLDFAST_INTERVAL"});
    auto out = environment_without(kOurs);
    const auto newest = files_->newest();
    const std::string& directory = options_->directory;
    out.push_back(fmt::format("HOLDFAST_GUARD={}", directory));
    out.push_back(fmt::format("HOLDFAST_RUN={}", machine_.run()));
    out.push_back(fmt::format("HOLDFAST_CHECKPOINT={}",
                              newest && !starts_anew_ ? newest->path : std::string()));
    out.push_back(fmt::format("HOLDFAST_PIPE={}/pipe", directory));
    out.push_back(fmt::format("HOLDFAST_REQUESTS={}/requests", directory));
    out.push_back(fmt::format("HOLDFAST_ADVISOR={}/advisor.json", directory));
    out.push_back(fmt::format("HOLDFAST_INTERVAL={}", interval()));
    return out;
  }

  // The planned period, in whole seconds; as a program without a guard's trigger may take it.
  [[nodiscard]] std::int64_t interval() const {
    const Value estimate = pace_->estimate(now());
    const Value* seconds = estimate.find("interval");
    const double interval = seconds != nullptr && seconds->is_number() ? seconds->number() : 3600;
    return static_cast<std::int64_t>(std::clamp(std::round(interval), 1.0, 1e9));
  }

  void launch(bool anew) {
    starts_anew_ = anew;
    const Status prepared = files_->prepare([&](const SeenFile& file) { return is_whole(file); });
    if (!prepared) voice_.warn(prepared.error().text());
    Start how{.words = options_->command, .environment = environment()};
    if (!options_->restart_command.empty() && machine_.run() > 1) {
      how.words = {"/bin/sh", "-c", options_->restart_command};
    }
    for (std::string& word : how.words) {
      word = replaced(std::move(word), "{interval}", std::to_string(interval()));
      word = replaced(std::move(word), "{minutes}",
                      to_text(static_cast<double>(interval()) / 60.0, 4));
    }
    if (auto requests = make_pipe(fs::path(options_->directory) / "requests")) {
      requests_ = std::move(*requests);
    }
    std::array<int, 2> ends = {-1, -1};
    const bool reads_lines = options_->done.kind == Sign::Kind::line ||
                             options_->ready.kind == Sign::Kind::line ||
                             options_->progress.kind == Sign::Kind::line;
    if (reads_lines && ::pipe2(ends.data(), O_CLOEXEC) == 0) how.out = ends[1];
    before_ = done_file();
    seen_ = before_;
    ready_before_ = look_at(options_->ready.text);
    auto started = start(how);
    if (ends[1] >= 0) ::close(ends[1]);
    output_ = Descriptor(ends[0]);
    if (ends[0] >= 0) ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    if (!started) {
      feed({.kind = Event::Kind::not_launched, .text = started.error().text()});
      return;
    }
    program_ = *started;
    sessions_ = {started->pid};
    const std::string name = fs::path(how.words.front()).filename().string();
    is_launcher_ = name.starts_with("mpirun") || name.starts_with("mpiexec") ||
                   name.starts_with("orterun") || name.starts_with("prterun");
    had_ranks_ = false;
    alone_since_ = Rules::kNever;
    progress_.reset();
    is_signal_due_ = false;
    const auto newest = files_->newest();
    feed({.kind = Event::Kind::launched,
          .details = Value::object({{"pid", static_cast<std::int64_t>(started->pid)},
                                    {"start", static_cast<std::int64_t>(started->start)},
                                    {"from", newest && !anew ? newest->path : std::string()},
                                    {"command", Value::list(how.words)}})});
  }

  // A file that changed since it was kept. Where the program puts a new one in its place it is whole.
  bool is_whole(const SeenFile& file) {
    const auto& kept = files_->kept();
    if (options_->verify.empty()) return kept && kept->inode != file.inode;
    const auto done = run_command(verify_words(file));
    return done && done->status == 0;
  }

  [[nodiscard]] std::vector<std::string> verify_words(const SeenFile& file) const {
    return {"/usr/bin/env", fmt::format("HOLDFAST_CHECKPOINT={}", file.path), "/bin/sh", "-c",
            options_->verify};
  }

  // A launcher passes the signal on to its ranks, which have to be as far.
  [[nodiscard]] bool is_signal_handled() const {
    constexpr auto kPassOn = std::to_array<std::string_view>({"orted", "prted", "ssh", "srun"});
    if (!handles(*program_, options_->signal)) return false;
    if (!is_launcher_) return true;
    std::size_t ranks = 0;
    for (const ProcessState& process : all_processes()) {
      if (process.parent != program_->pid || process.is_dead) continue;
      ++ranks;
      const bool passes_on = std::ranges::find(kPassOn, process.name) != kPassOn.end();
      if (!passes_on && !handles(process.id, options_->signal)) return false;
    }
    return ranks > 0;
  }

  // A program that has just started may not have its handler yet, and one without a handler would be ended by the signal.
  void send_when_handled() {
    if (!is_signal_due_ || !program_) return;
    if (is_signal_handled()) {
      is_signal_due_ = false;
      send(*program_, options_->signal);
    } else if (!has_warned_of_handler_ && looked_at_ - asked_at_ > kPatienceWithHandler) {
      has_warned_of_handler_ = true;
      voice_.warn(
          fmt::format("{} has no handler for the signal of --trigger, which would end it: it "
                      "is not sent",
                      options_->command.front()));
    }
  }

  void tell(std::string_view request) {
    if (requests_.get() < 0) return;
    [[maybe_unused]] const auto told = ::write(requests_.get(), request.data(), request.size());
  }

  void ask() {
    before_ = done_file();
    seen_ = before_;
    looked_at_ = now();
    asked_at_ = looked_at_;
    switch (options_->rules.trigger) {
      case Trigger::signal:
      case Trigger::stop:
        is_signal_due_ = true;
        send_when_handled();
        break;
      case Trigger::file: {
        const Descriptor file(
            ::open(options_->trigger_text.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
        if (file.get() < 0) {
          voice_.warn(fmt::format("{}: cannot be made: {}", options_->trigger_text,
                                  std::generic_category().message(errno)));
          feed({.kind = Event::Kind::save_failed});
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
          feed({.kind = Event::Kind::save_failed});
        }
        break;
      }
      case Trigger::pipe:
        tell("checkpoint\n");
        break;
      case Trigger::api:
      case Trigger::none:
        break;
    }
  }

  // --- what was written ---

  void verify() {
    written_ = options_->checkpoint_file.empty() ? std::nullopt : files_->newest();
    const bool is_new = written_ && written_ != files_->kept();
    if (!options_->checkpoint_file.empty() && !is_new) {
      feed({.kind = Event::Kind::refused,
            .code = last_code_,
            .text = fmt::format("{} is not new", options_->checkpoint_file)});
      return;
    }
    if (options_->verify.empty() || !written_) return keep_verified();
    auto started = start(
        {.words = verify_words(*written_), .environment = environment(), .takes_input = false});
    if (started) {
      verifier_ = *started;
    } else {
      feed({.kind = Event::Kind::refused, .code = last_code_, .text = started.error().text()});
    }
  }

  void keep_verified() {
    if (!written_) {
      feed({.kind = Event::Kind::kept, .date = settled()});
      return;
    }
    if (const Status kept = files_->keep(*written_); !kept) {
      voice_.warn(kept.error().text());  // it is there all the same, if in one copy
      files_->remember(*written_);
    }
    before_ = done_file();
    seen_ = before_;
    feed({.kind = Event::Kind::kept, .date = settled(), .details = to_value(*written_)});
  }

  // A file that has not changed for a while was written before that while.
  [[nodiscard]] std::optional<double> settled() const {
    const bool is_plain = options_->done.kind == Sign::Kind::file && options_->verify.empty();
    return is_plain ? std::optional(seen_at_) : std::nullopt;
  }

  void set_aside() {
    const auto done = files_->set_aside(options_->rules.from_scratch);
    if (!done) voice_.warn(done.error().text());
    const auto aside = done.value_or(CheckpointFiles::Aside{});
    feed({.kind = Event::Kind::aside,
          .number = static_cast<double>(aside.left),
          .total = static_cast<double>(aside.left) + (aside.file.empty() ? 0 : 1),
          .text = aside.file});
  }

  // --- ends ---

  [[nodiscard]] bool is_helper(const ProcessId& process) const {
    return verifier_ && process == *verifier_;
  }

  // Until none is left: a process may be started between the look and the signal.
  void kill_more() {
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
    feed({.kind = Event::Kind::cleared});
  }

  void list_leftovers() {
    for (const ProcessId& process : job_processes(sessions_)) {
      const auto state = state_of(process.pid);
      if (!state) continue;
      voice_.warn(fmt::format("the program left process {} ({}) behind; --kill-leftovers ends it",
                              process.pid, printable(state->name)));
    }
  }

  void requeue() {
    if (slurm_ == nullptr) return;
    write(Value::object({{"kind", "requeue"}}), Durable::now);
    if (const Status done = slurm_->requeue(); !done) {
      voice_.warn(fmt::format("not put into the queue again: {}; submit the script again to go on",
                              done.error().text()));
    }
  }

  void tell_time_left() {
    next_time_left_ = Rules::kNever;
    if (slurm_ == nullptr || options_->time_limit != Rules::kNever) return;
    next_time_left_ = now() + kBetweenTimeLeft;
    if (const auto seconds = slurm_->time_left()) {
      feed({.kind = Event::Kind::time_left, .number = *seconds});
    }
  }

  void leave(int code) {
    if (options_->gives_code && (code == 0 || code == 1)) {
      code = last_signal_ != 0 ? 128 + last_signal_ : last_code_;
    }
    journal_->flush();
    code_ = journal_->has_lost() && code == 0 ? 4 : code;
  }

  const GuardOptions* options_;
  Pace* pace_;
  JournalWriter* journal_;
  CheckpointFiles* files_;
  SlurmJob* slurm_;
  Voice voice_;
  Machine machine_;

  double zero_ = 0;
  std::string boot_;
  Descriptor signals_;
  Descriptor pipe_;
  Descriptor requests_;
  Descriptor output_;
  Lines messages_{kLongestMessage};
  Lines lines_{kLongestLine};

  std::deque<Event> events_;
  bool is_feeding_ = false;
  std::optional<int> code_;

  std::optional<ProcessId> program_;
  std::optional<ProcessId> asker_;
  std::optional<ProcessId> verifier_;
  std::vector<pid_t> sessions_;
  int last_code_ = 0;
  int last_signal_ = 0;
  bool starts_anew_ = false;
  bool is_killing_ = false;
  double kill_look_ = 0;
  bool is_launcher_ = false;
  bool had_ranks_ = false;
  double alone_since_ = Rules::kNever;

  double looked_at_ = 0;
  double asked_at_ = 0;
  bool is_signal_due_ = false;
  bool has_warned_of_handler_ = false;
  std::optional<SeenFile> before_;  ///< when it was asked to save
  std::optional<SeenFile> seen_;    ///< at the last look
  double seen_at_ = 0;
  std::optional<SeenFile> written_;
  std::optional<SeenFile> ready_before_;
  std::optional<double> progress_;
  double next_time_left_ = Rules::kNever;
  double warned_at_ = -Rules::kNever;
};

Driver::Driver(const GuardOptions& options, Pace& pace, JournalWriter& journal,
               CheckpointFiles& files, SlurmJob* slurm, Voice voice)
    : loop_(std::make_unique<Loop>(options, pace, journal, files, slurm, std::move(voice))) {}

Driver::~Driver() = default;

Result<int> Driver::run(double clock, std::int64_t launches) {
  return loop_->run(clock, launches);
}

}  // namespace holdfast::field
