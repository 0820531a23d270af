#pragma once

#include "holdfast/models/resilience/shared.hpp"

#include <limits>
#include <optional>
#include <vector>

/// What additional bandwidth of a machine's file system is worth, and how much of it is needed, for classes of jobs described
/// in bytes. The planner itself is in shared.hpp.
namespace holdfast {

/// The jobs of one class, as a computing centre describes them.
struct MachineClass {
  double jobs = 0;   ///< mean number of jobs that run at the same time, >= 0, not necessarily whole
  double nodes = 1;  ///< nodes of one job, > 0
  double checkpoint = 0;  ///< size of a checkpoint, bytes, >= 0
  double recovery = 0;    ///< size of what is read after a failure, bytes, >= 0
  double regular = 0;     ///< mean input and output of one job, bytes/s, >= 0
  /// Seconds of work of one job without failures. Only jobs without checkpoints need it, because their work is one segment; if
  /// it is absent, that segment is endless.
  std::optional<double> work = {};
};

/// The machine, its file system and its classes of jobs.
struct SharedMachine {
  double nodes = 1;      ///< nodes of the machine, > 0
  double bandwidth = 1;  ///< bandwidth of the file system in bytes/s, > 0; may be infinite
  /// Bandwidth of one node in bytes/s, > 0.
  double node_bandwidth = std::numeric_limits<double>::infinity();
  /// Mean time between failures of one node in seconds, > 0.
  double mtbf = std::numeric_limits<double>::infinity();
  double downtime = 0;                     ///< time from a failure to the recovery, seconds
  double regular = 0;                      ///< input and output that belong to no class, bytes/s
  std::vector<MachineClass> classes = {};  ///< the classes of jobs

  /// Returns the bandwidth in bytes/s that one job of a class can use when it is alone.
  [[nodiscard]] double job_bandwidth(const MachineClass& one) const;
};

/// Returns the classes with nodes and bandwidths as shares of the machine and of its file system.
[[nodiscard]] std::vector<SharedClass> shared_classes(const SharedMachine& machine);

/// Returns the share of the bandwidth that input and output take.
[[nodiscard]] double regular_load(const SharedMachine& machine);

/// Returns the greatest useful share of the machine, a bound on every rule.
/// @returns nullopt if recoveries and regular transfers alone take the whole bandwidth
[[nodiscard]] std::optional<double> useful_share_bound(const SharedMachine& machine);

/// Returns the bandwidth in bytes/s above which a plan exists: at this bandwidth, recoveries and regular transfers take the
/// share `limit` of it. 0 if any bandwidth is enough.
[[nodiscard]] double least_bandwidth(const SharedMachine& machine, double limit = 1);

/// Returns the bandwidth in bytes/s at which the bound reaches a share; the bound grows with the bandwidth.
/// @param share  the useful share to reach, in (0, 1)
/// @returns nullopt if no bandwidth is enough
[[nodiscard]] std::optional<double> bandwidth_for_share(const SharedMachine& machine, double share);

/// Returns the gain of the bound per additional byte/s, by a central difference of 1e-4 of the bandwidth.
/// @pre useful_share_bound(machine)
[[nodiscard]] double value_of_bandwidth(const SharedMachine& machine);

}  // namespace holdfast
