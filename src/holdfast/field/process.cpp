#include "holdfast/field/process.hpp"

#include "holdfast/base/clock.hpp"
#include "holdfast/base/pipe.hpp"
#include "holdfast/base/system.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

template <class Number>
Number number_in(std::string_view text) {
  Number out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// Returns the words after the name of the program, which is in brackets and may contain blanks and brackets.
std::vector<std::string_view> words_behind_name(std::string_view stat) {
  std::vector<std::string_view> out;
  const auto bracket = stat.rfind(')');
  if (bracket == std::string_view::npos) return out;
  for (std::size_t at = bracket + 2; at < stat.size();) {
    const std::size_t end = std::min(stat.find(' ', at), stat.size());
    out.push_back(stat.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// Returns the numbers among the names in a folder of /proc, from `least` on.
std::vector<pid_t> pids_in(const std::string& folder, pid_t least = 1) {
  std::vector<pid_t> out;
  DIR* directory = ::opendir(folder.c_str());
  if (directory == nullptr) return out;
  while (const dirent* entry = ::readdir(directory)) {
    const auto pid = number_in<pid_t>(entry->d_name);
    if (pid >= least && entry->d_name[0] != '.') out.push_back(pid);
  }
  ::closedir(directory);
  return out;
}

std::vector<pid_t> all_pids() {
  return pids_in("/proc");
}

// What a child writes to its parent before it executes the program: this letter once it has its session, and the error code if
// the program cannot be executed.
constexpr char kHasSession = 's';

/// Executes the program in the child, with only those calls that are safe between fork and exec.
[[noreturn]] void become(const Start& how, char** arguments, char** environment, pid_t parent,
                         int report) {
  ::setsid();
  if (!how.outlives) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_Exit(127);  // the parent died before the request took effect
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGCHLD}) {
    ::signal(signal, SIG_DFL);
  }
  if (how.out >= 0) ::dup2(how.out, STDOUT_FILENO);
  if (how.err >= 0) ::dup2(how.err, STDERR_FILENO);
  if (!how.takes_input) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  }
  [[maybe_unused]] auto told = ::write(report, &kHasSession, 1);
  const bool is_there = how.directory.empty() || ::chdir(how.directory.c_str()) == 0;
  const bool is_claimed =
      how.claim.empty() ||
      ::open(how.claim.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) >= 0;
  if (is_there && is_claimed) ::execvpe(arguments[0], arguments, environment);
  const int code = errno;
  told = ::write(report, &code, sizeof code);
  ::_Exit(127);
}

tl::unexpected<Error> not_started(const Start& how, int code) {
  return fail(ErrorCode::io_failure, how.words.front(),
              fmt::format("cannot be started: {}", std::generic_category().message(code)));
}

}  // namespace

std::optional<ProcessState> state_of(pid_t pid) {
  const std::string stat = kernel_file(fmt::format("/proc/{}/stat", pid));
  const auto words = words_behind_name(stat);
  constexpr std::size_t kStart = 19;  // field 22 of proc(5); the first after the name is field 3
  if (words.size() <= kStart) return std::nullopt;
  ProcessState out;
  out.id = {.pid = pid, .start = number_in<std::uint64_t>(words[kStart])};
  out.parent = number_in<pid_t>(words[1]);
  out.session = number_in<pid_t>(words[3]);
  out.is_dead = words[0] == "Z" || words[0] == "X";
  constexpr std::size_t kFlags = 6;
  constexpr std::uint64_t kIsExiting = 4;  // PF_EXITING of the kernel, which comes before a state
  out.is_ending = out.is_dead || (number_in<std::uint64_t>(words[kFlags]) & kIsExiting) != 0;
  const auto open = stat.find('(');
  out.name = stat.substr(open + 1, stat.rfind(')') - open - 1);
  return out;
}

bool is_running(const ProcessId& process) {
  const auto state = state_of(process.pid);
  return state && state->id == process && !state->is_ending;
}

double age_of(const ProcessId& process) {
  return time_on(CLOCK_BOOTTIME) -
         static_cast<double>(process.start) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

bool is_in_session(const ProcessId& process, pid_t session) {
  const auto state = state_of(process.pid);
  return process.pid == session || (state && state->session == session);
}

std::vector<ProcessState> all_processes() {
  std::vector<ProcessState> out;
  for (const pid_t pid : all_pids()) {
    if (auto state = state_of(pid)) out.push_back(std::move(*state));
  }
  return out;
}

bool has_children(pid_t pid) {
  return !kernel_file(fmt::format("/proc/{0}/task/{0}/children", pid)).empty();
}

Result<ProcessId> start(const Start& how) {
  Pipe report;
  if (report.to_read.get() < 0) return not_started(how, errno);
  const auto arguments = pointers_to(how.words);
  const auto environment = pointers_to(how.environment);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    become(how, const_cast<char**>(arguments.data()), const_cast<char**>(environment.data()),
           parent, report.to_write.get());
  }
  const int code = errno;
  report.to_write = Descriptor();
  if (child < 0) return not_started(how, code);
  char first = 0;
  int reason = 0;
  // A child that was killed before it had its session writes nothing. It counts as started, and its end is handled as usual.
  static_cast<void>(read_whole(report.to_read.get(), {&first, 1}));
  const auto state = state_of(child);
  const bool has_failed =
      read_whole(report.to_read.get(), {reinterpret_cast<char*>(&reason), sizeof reason}) > 0;
  if (has_failed) return not_started(how, reason);
  return ProcessId{.pid = child, .start = state ? state->id.start : 0};
}

Descriptor end_of(const ProcessId& process) {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
}

bool send(const ProcessId& process, int signal) {
  // A descriptor is used, because the number may be reused for another process between the check of its start and the signal.
  const auto file = static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0));
  if (file < 0) return false;
  const auto state = state_of(process.pid);
  const bool is_same = state && state->id == process && !state->is_dead;
  const bool done = is_same && ::syscall(SYS_pidfd_send_signal, file, signal, nullptr, 0) == 0;
  ::close(file);
  return done;
}

namespace {

// Returns true if every thread is stopped or has ended, according to the letters of proc(5).
bool is_stopped(const ProcessId& process) {
  const std::string folder = fmt::format("/proc/{}/task", process.pid);
  for (const pid_t thread : pids_in(folder)) {
    const std::string stat = kernel_file(fmt::format("{}/{}/stat", folder, thread));
    const auto words = words_behind_name(stat);
    if (!words.empty() && std::string_view("TtZX").find(words[0]) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

std::uint64_t mask_in(std::string_view text, std::string_view name) {
  std::uint64_t mask = 0;
  const auto at = text.find(name);
  if (at == std::string_view::npos) return mask;
  text.remove_prefix(at + name.size());
  std::from_chars(text.data(), text.data() + text.size(), mask, 16);
  return mask;
}

bool holds(std::uint64_t mask, int signal) {
  return (mask >> (signal - 1) & 1) != 0;
}

// Returns true if a thread is in sigwait() or a relative of it, for this signal. The set lies in the memory of the process.
bool waits_for(const std::string& thread, pid_t pid, int signal) {
  const std::string call = kernel_file(thread + "/syscall");
  const std::string wanted = fmt::format("{} 0x", SYS_rt_sigtimedwait);
  if (!call.starts_with(wanted)) return false;
  std::uint64_t address = 0;
  std::from_chars(call.data() + wanted.size(), call.data() + call.size(), address, 16);
  const int memory = ::open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDONLY | O_CLOEXEC);
  if (memory < 0) return false;
  std::uint64_t set = 0;
  const auto count = ::pread(memory, &set, sizeof set, static_cast<off_t>(address));
  ::close(memory);
  return count == sizeof set && holds(set, signal);
}

// Returns true if a process has a signalfd for this signal.
bool has_signal_file(const std::string& folder, int signal) {
  const std::string files = folder + "/fdinfo";
  return std::ranges::any_of(pids_in(files, 0), [&](pid_t number) {
    return holds(mask_in(kernel_file(fmt::format("{}/{}", files, number)), "sigmask:\t"), signal);
  });
}

}  // namespace

bool send_handled(const ProcessId& process, int signal, Reception least, bool must_stand) {
  const Reception reception = reception_of(process, signal);
  if (reception < least) return false;
  if (reception == Reception::waits) return send(process, signal);
  // A process that is already stopped, by a debugger or a user, must not be continued by us. A process that handles SIGCONT
  // (srun prints a message then) must not receive it for this purpose.
  const bool may_stop =
      !is_stopped(process) && reception_of(process, SIGCONT) == Reception::ends_it;
  const bool goes_on = may_stop && send(process, SIGSTOP);
  constexpr int kMostLooks = 250;
  for (int look = 0; goes_on && look < kMostLooks && !is_stopped(process); ++look) {
    const timespec wait{.tv_sec = 0, .tv_nsec = 200'000};
    ::nanosleep(&wait, nullptr);
  }
  const bool is_safe = !goes_on || is_stopped(process) || !must_stand;
  const bool done = is_safe && reception_of(process, signal) >= least && send(process, signal);
  if (goes_on) send(process, SIGCONT);
  return done;
}

Reception reception_of(const ProcessId& process, int signal) {
  const std::string folder = fmt::format("/proc/{}", process.pid);
  const std::string status = kernel_file(folder + "/status");
  if (holds(mask_in(status, "SigCgt:\t"), signal)) return Reception::handles;
  const auto threads = pids_in(folder + "/task");
  bool is_waited_for = false;
  for (const pid_t thread : threads) {
    const std::string of_thread = fmt::format("{}/task/{}", folder, thread);
    if (holds(mask_in(kernel_file(of_thread + "/status"), "SigBlk:\t"), signal)) continue;
    // The signals that a thread waits for are not blocked while it waits.
    if (!waits_for(of_thread, process.pid, signal)) return Reception::ends_it;
    is_waited_for = true;
  }
  if (threads.empty()) return Reception::ends_it;
  return is_waited_for || has_signal_file(folder, signal) ? Reception::waits : Reception::blocks;
}

bool has_in_environment(pid_t pid, std::string_view start_of_line) {
  const std::string lines = '\0' + kernel_file(fmt::format("/proc/{}/environ", pid));
  return lines.find('\0' + std::string(start_of_line)) != std::string::npos;
}

std::vector<std::string> words_of(pid_t pid) {
  std::vector<std::string> out;
  const std::string words = kernel_file(fmt::format("/proc/{}/cmdline", pid));
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find('\0', at), words.size());
    out.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

double processor_time(std::span<const ProcessId> processes) {
  constexpr std::size_t kUser = 11;  // fields 14 and 15 of proc(5)
  std::uint64_t ticks = 0;
  for (const ProcessId& process : processes) {
    const std::string stat = kernel_file(fmt::format("/proc/{}/stat", process.pid));
    const auto words = words_behind_name(stat);
    if (words.size() <= kUser + 1) continue;
    ticks += number_in<std::uint64_t>(words[kUser]) + number_in<std::uint64_t>(words[kUser + 1]);
  }
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void adopt_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::vector<ProcessId> job_processes(std::span<const pid_t> sessions) {
  const auto processes = all_processes();
  std::map<pid_t, pid_t> parents;
  for (const ProcessState& process : processes) parents[process.id.pid] = process.parent;
  const pid_t self = ::getpid();
  const auto descends = [&](pid_t pid) {
    // A parent may have ended meanwhile and its number may have been reused, so the number of steps is limited.
    for (std::size_t steps = 0; steps <= processes.size(); ++steps) {
      const auto parent = parents.find(pid);
      if (parent == parents.end()) return false;
      if (parent->second == self) return true;
      pid = parent->second;
    }
    return false;
  };
  std::vector<ProcessId> out;
  for (const ProcessState& process : processes) {
    const bool is_in_session = std::ranges::find(sessions, process.session) != sessions.end();
    if (!process.is_dead && process.id.pid != self && (is_in_session || descends(process.id.pid))) {
      out.push_back(process.id);
    }
  }
  return out;
}

std::vector<ProcessId> processes_with(std::string_view line) {
  std::set<pid_t> own;
  for (pid_t pid = ::getpid(); pid > 1;) {
    own.insert(pid);
    const auto state = state_of(pid);
    pid = state ? state->parent : 0;
  }
  std::vector<ProcessId> out;
  const std::string wanted = std::string(line) + '\0';
  for (const pid_t pid : all_pids()) {
    if (own.contains(pid)) continue;
    if (!has_in_environment(pid, wanted)) continue;
    const auto state = state_of(pid);
    if (state && !state->is_dead) out.push_back(state->id);
  }
  return out;
}

}  // namespace holdfast::field
