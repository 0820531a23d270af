#pragma once

#include "holdfast/base/error.hpp"

#include <string>
#include <vector>

namespace holdfast::steward {

/// Runs a command of Slurm and returns what it prints. An error says what Slurm said, or that it did not answer within 20 s.
[[nodiscard]] Result<std::string> ask_slurm(const std::vector<std::string>& command);

/// Returns true if an error of ask_slurm() says that Slurm did not answer, and not that it refused.
[[nodiscard]] bool is_silence(const Error& error);

/// Returns the words with which a queue is asked, up to its states and its form; dates are in seconds since 1970.
[[nodiscard]] std::vector<std::string> queue_command();

/// Returns the name of the cluster.
[[nodiscard]] Result<std::string> cluster_name();

}  // namespace holdfast::steward
