#pragma once

#include "holdfast/base/error.hpp"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::field {

/// One process, told apart from a later one that has the same number.
struct ProcessId {
  pid_t pid = 0;
  std::uint64_t start = 0;  ///< ticks since the machine started
  friend bool operator==(const ProcessId&, const ProcessId&) = default;
};

/// What a process says of itself.
struct ProcessState {
  ProcessId id;
  pid_t parent = 0;
  pid_t session = 0;
  bool is_dead = false;  ///< ended, not yet waited for
  std::string name;
};

/// Returns what /proc says of a process; nothing if there is none.
[[nodiscard]] std::optional<ProcessState> state_of(pid_t pid);
/// Returns every process that can be seen.
[[nodiscard]] std::vector<ProcessState> all_processes();
/// Returns true if it has children that live.
[[nodiscard]] bool has_children(pid_t pid);

/// How a program is started.
struct Start {
  std::vector<std::string> words;        ///< found as a shell would, run without one
  std::vector<std::string> environment;  ///< "NAME=VALUE"
  int out = -1;                          ///< its standard output; -1: ours
  bool takes_input = true;               ///< else its standard input is empty
};

/// Starts a program in a session of its own. It dies with this process, and has its session when this returns, unless it was
/// killed before: then it has been started, and is dead.
/// @returns io_failure if it cannot be started
[[nodiscard]] Result<ProcessId> start(const Start& how);

/// Sends a signal to exactly this process. Returns false if it is gone.
bool send(const ProcessId& process, int signal);

/// Returns true if a process has a handler for this signal, or waits for it: it would not end it.
[[nodiscard]] bool handles(const ProcessId& process, int signal);

/// Adopts what the children of this process leave behind.
void adopt_orphans();

/// Returns the processes of this process's jobs: its descendants, and whatever is in one of these sessions.
[[nodiscard]] std::vector<ProcessId> job_processes(std::span<const pid_t> sessions);

/// Returns the processes, other than this one and those that it descends from, whose environment has this line.
[[nodiscard]] std::vector<ProcessId> processes_with(std::string_view line);

/// Returns the environment of this process without these names.
[[nodiscard]] std::vector<std::string> environment_without(std::span<const std::string_view> names);
/// Returns the value of a name in an environment; empty if there is none.
[[nodiscard]] std::string_view value_in(std::span<const std::string> environment,
                                        std::string_view name);

/// Returns what tells one start of the machine from another.
[[nodiscard]] std::string boot_id();

}  // namespace holdfast::field
