#pragma once

#include "holdfast/arbiter/core.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::arbiter {

/// Returns the batch job named in /proc/PID/cgroup: the number after the last "job_" in a path, as Slurm names its groups.
/// Empty if there is none.
[[nodiscard]] std::string job_in_cgroup(std::string_view text);

/// Asks the kernel which process is at the other end of a Unix socket.
/// @param observers  a group whose members may watch everything
/// @param owner      the user of the service, who may watch everything too
/// @returns nothing if the kernel does not say
[[nodiscard]] std::optional<Peer> peer_of(int socket, std::optional<std::uint32_t> observers,
                                          std::uint32_t owner);

}  // namespace holdfast::arbiter
