#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::field {

/// Reads the output of `squeue -o %L` as seconds: "M:SS", "H:MM:SS" or "D-H:MM:SS"; infinite for UNLIMITED; nothing for any
/// other text.
[[nodiscard]] std::optional<double> parse_time_left(std::string_view text);

/// The state of a job's nodes according to Slurm.
struct NodeCheck {
  std::optional<std::size_t> down;  ///< position of the first node that is down or failing
  std::string name;                 ///< its name
};

/// Reads the lines of `scontrol show node -o`. (`sinfo -N` of Slurm 22.05 may still report a node that is down as "mixed".)
[[nodiscard]] NodeCheck parse_node_states(std::string_view text,
                                          std::span<const std::string> nodes);

/// Reads from the same lines for how long each node has been up, in seconds; nothing for a node whose start they do not give.
/// @param now  seconds since 1970
[[nodiscard]] std::vector<std::optional<double>> parse_boot_ages(std::string_view text,
                                                                 std::span<const std::string> nodes,
                                                                 std::int64_t now);

/// Reads from `scontrol show job -o` how often a job was requeued; nothing if the text does not say so.
[[nodiscard]] std::optional<std::uint64_t> parse_restarts(std::string_view text);

/// The Slurm job that contains this process. Each query to Slurm may take 10 s.
class SlurmJob {
 public:
  /// Finds the job from the environment; returns nothing outside a job.
  [[nodiscard]] static std::optional<SlurmJob> find(std::span<const std::string> environment);

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::vector<std::string>& nodes() const { return nodes_; }
  /// Returns the remaining time of the allocation in seconds; nothing if Slurm does not answer.
  [[nodiscard]] std::optional<double> time_left() const;
  /// Returns the first node that is down; none if Slurm does not answer.
  [[nodiscard]] NodeCheck check_nodes() const;
  /// Returns for how long each node has been up, in the order of nodes().
  [[nodiscard]] std::vector<std::optional<double>> boot_ages() const;
  /// Requeues the job, or this task of it if it is an array, which ends its current run.
  [[nodiscard]] Status requeue() const;
  /// Returns the name by which Slurm knows the job or the task alone. One task of each array has the number of the array.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Returns true if the job was requeued although it still runs.
  [[nodiscard]] bool is_requeued() const;

 private:
  std::string id_;
  std::string name_;
  std::uint64_t restarts_ = 0;  ///< before this run
  std::string list_;
  std::vector<std::string> nodes_;
};

}  // namespace holdfast::field
