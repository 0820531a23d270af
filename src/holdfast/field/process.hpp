#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::field {

/// One process, distinguished from a later process with the same number.
struct ProcessId {
  pid_t pid = 0;
  std::uint64_t start = 0;  ///< start time, in ticks since the machine started
  friend bool operator==(const ProcessId&, const ProcessId&) = default;
};

/// The state of a process.
struct ProcessState {
  ProcessId id;
  pid_t parent = 0;
  pid_t session = 0;
  bool is_dead = false;    ///< it has ended but has not been waited for
  bool is_ending = false;  ///< it has begun to end: its files may be closed
  std::string name;
};

/// Returns the state of a process according to /proc; nothing if it does not exist.
[[nodiscard]] std::optional<ProcessState> state_of(pid_t pid);
/// Returns true if it exists and has not begun to end.
[[nodiscard]] bool is_running(const ProcessId& process);
/// Returns the seconds since a process was started.
[[nodiscard]] double age_of(const ProcessId& process);
/// Returns true if it leads this session or is in it.
[[nodiscard]] bool is_in_session(const ProcessId& process, pid_t session);
/// Returns every visible process.
[[nodiscard]] std::vector<ProcessState> all_processes();
/// Returns true if it has living children.
[[nodiscard]] bool has_children(pid_t pid);

/// How a program is started.
struct Start {
  /// The command, searched for as a shell would, but run without a shell.
  std::vector<std::string> words;
  std::vector<std::string> environment;  ///< "NAME=VALUE"
  int out = -1;                          ///< its standard output; -1: that of this process
  int err = -1;                          ///< the same of its standard error
  std::string directory = {};            ///< where it runs; empty: where this process does
  /// A file that it makes before it runs. Where the file is there already nothing runs: of two starts with one claim, one does.
  std::string claim = {};
  bool outlives = false;  ///< true: it goes on when this process ends
  /// True if it reads our standard input; otherwise its standard input is empty.
  bool takes_input = true;
};

/// Starts a program in its own session. Unless it outlives this process, it is killed if this process ends. Its session exists when this function
/// returns, unless the program was killed before that: then it has been started and is dead.
/// @returns io_failure if it cannot be started
[[nodiscard]] Result<ProcessId> start(const Start& how);

/// Returns a descriptor that can be read once the process, a child, has ended; none where the kernel has no such (before 5.3).
[[nodiscard]] Descriptor end_of(const ProcessId& process);

/// Sends a signal to exactly this process. Returns false if the process is gone.
bool send(const ProcessId& process, int signal);

/// What a signal would do to a process.
enum class Reception : std::uint8_t {
  ends_it,  ///< the process has neither a handler nor blocks the signal (or it ignores it)
  blocks,   ///< every thread blocks it: for good, or as libraries do for an instant
  waits,    ///< every thread blocks it, and one waits for it: by sigwait or a signalfd
  handles,  ///< it has a handler
};
[[nodiscard]] Reception reception_of(const ProcessId& process, int signal);

/// Sends a signal to exactly this process if it takes the signal in this way or a better one, and returns true if it did.
/// Meanwhile the process is stopped, so that it cannot remove its handler between the check and the signal; a process that
/// listens to SIGCONT, or waits for the signal, is not stopped.
/// @param must_stand  true: a process that does not stop within 50 ms gets no signal
[[nodiscard]] bool send_handled(const ProcessId& process, int signal,
                                Reception least = Reception::waits, bool must_stand = true);

/// Returns true if the environment with which a process was started contains this text at the start of a line.
[[nodiscard]] bool has_in_environment(pid_t pid, std::string_view start_of_line);
/// Returns the words with which a process was started; empty if it does not exist.
[[nodiscard]] std::vector<std::string> words_of(pid_t pid);
/// Returns the processor time that processes have used, in seconds.
[[nodiscard]] double processor_time(std::span<const ProcessId> processes);

/// Adopts the orphans of this process's children.
void adopt_orphans();

/// Returns the processes of this process's jobs: its descendants, and every process in one of these sessions.
[[nodiscard]] std::vector<ProcessId> job_processes(std::span<const pid_t> sessions);

/// Returns the processes whose environment contains this line, without this one and its ancestors.
[[nodiscard]] std::vector<ProcessId> processes_with(std::string_view line);

}  // namespace holdfast::field
