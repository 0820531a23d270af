#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Policies of `capacity` that act on a Slurm that runs.
namespace holdfast::steward {

/// A job that Slurm lists. Times are in seconds since 1970.
struct SeenJob {
  std::string id = {};
  std::string state = {};  ///< "PENDING", "RUNNING"
  std::string nodes = {};  ///< the nodes on which it runs
  std::int64_t cores = 1;  ///< on all nodes
  std::int64_t node_count = 1;
  std::string partition = {};
  std::int64_t submitted = 0;
  std::optional<std::int64_t> start =
      {};                   ///< of the run or, for one that waits, what Slurm expects
  std::int64_t limit = 0;   ///< seconds; 0: none
  std::string reason = {};  ///< why it waits
  std::string wanted = {};  ///< the nodes that it must have
  std::string comment = {};
};

/// A node that Slurm lists.
struct SeenNode {
  std::string name = {};
  std::string state = {};  ///< "IDLE", "MIXED+DRAIN"
  std::string reason = {};
  std::string partitions = {};
  std::int64_t cores = 0;

  /// Returns true if jobs can start there.
  [[nodiscard]] bool is_usable() const;
  /// Returns true if a slurmctld that has just begun has not heard of the node yet.
  [[nodiscard]] bool is_unknown() const { return state.starts_with("UNKNOWN"); }
};

/// What is seen at one instant.
struct Look {
  std::int64_t now = 0;  ///< seconds since 1970
  std::vector<SeenJob> jobs;
  std::vector<SeenNode> nodes;
  std::optional<std::int64_t> capacity = {};        ///< nodes that may be on; absent: all
  std::map<std::string, std::string> leaving = {};  ///< nodes that were announced to go, and why
};

/// The form in which `squeue --format` is asked, with dates in seconds since 1970.
inline constexpr std::string_view kQueueForm = "%i|%T|%N|%C|%D|%P|%V|%S|%l|%r|%n|%k";

/// Reads the lines of squeue in that form. Errors name the line.
[[nodiscard]] Result<std::vector<SeenJob>> parse_queue(std::string_view text);

/// Reads the lines of `scontrol show node -o`.
[[nodiscard]] std::vector<SeenNode> parse_nodes(std::string_view text);

}  // namespace holdfast::steward
