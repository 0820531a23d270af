#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/steward/core.hpp"
#include "holdfast/steward/look.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace holdfast::steward {

/// Asks Slurm for its jobs and nodes, with one command each. The capacity is left to others.
[[nodiscard]] Result<Look> look_at_slurm();

/// Returns the command for an action.
[[nodiscard]] std::vector<std::string> command_of(const Action& action, Switch how);

/// Returns how many actions, from that one on, one command can do: jobs that are held until the same date, or released.
[[nodiscard]] std::size_t alike_from(const std::vector<Action>& actions, std::size_t first);
/// Returns such actions as one, of a list of jobs.
[[nodiscard]] Action together(std::span<const Action> actions);

/// Does an action. An error says what Slurm said.
[[nodiscard]] Status perform(const Action& action, Switch how);

}  // namespace holdfast::steward
