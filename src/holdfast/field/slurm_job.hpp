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

/// Returns the names of a list as Slurm writes it: "n[001-003,7],gpu[1-2]x". At most 100 000.
[[nodiscard]] Result<std::vector<std::string>> expand_nodes(std::string_view list);

/// Returns the seconds that `squeue -o %L` says: "M:SS", "H:MM:SS" or "D-H:MM:SS"; infinite for UNLIMITED; nothing for
/// what is no time.
[[nodiscard]] std::optional<double> parse_time_left(std::string_view text);

/// What Slurm says of the nodes of a job.
struct NodeCheck {
  std::optional<std::size_t> down;  ///< position of the first node that is down or fails
  std::string name;                 ///< its name
};

/// Reads the lines of `scontrol show node -o`. (`sinfo -N` of Slurm 22.05 may go on calling a node "mixed" that is down.)
[[nodiscard]] NodeCheck parse_node_states(std::string_view text,
                                          std::span<const std::string> nodes);

/// The job of Slurm that this process is part of. Each question has 10 s.
class SlurmJob {
 public:
  /// Finds it by the environment; nothing outside of a job.
  [[nodiscard]] static std::optional<SlurmJob> find(std::span<const std::string> environment);

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::vector<std::string>& nodes() const { return nodes_; }
  /// Returns the time left of the allocation, seconds; nothing if Slurm does not answer.
  [[nodiscard]] std::optional<double> time_left() const;
  /// Asks which node is down; none if Slurm does not answer.
  [[nodiscard]] NodeCheck check_nodes() const;
  /// Puts the job into the queue again, which ends this run of it.
  [[nodiscard]] Status requeue() const;

 private:
  std::string id_;
  std::string list_;
  std::vector<std::string> nodes_;
};

}  // namespace holdfast::field
