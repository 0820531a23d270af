#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/steward/core.hpp"
#include "holdfast/steward/look.hpp"

#include <string>
#include <vector>

namespace holdfast::steward {

/// Asks Slurm for its jobs and nodes, with one command each. The capacity is left to others.
[[nodiscard]] Result<Look> look_at_slurm();

/// Returns the command for an action.
[[nodiscard]] std::vector<std::string> command_of(const Action& action, Switch how);

/// Does an action. An error says what Slurm said.
[[nodiscard]] Status perform(const Action& action, Switch how);

}  // namespace holdfast::steward
