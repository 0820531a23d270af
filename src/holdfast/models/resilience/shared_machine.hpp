#pragma once

#include "holdfast/models/resilience/shared.hpp"

#include <limits>
#include <optional>
#include <vector>

/// A machine with a file system and the classes of jobs that run on it at once, in volumes: what its bandwidth is worth,
/// and how much of it is needed. The planner itself is in shared.hpp.
namespace holdfast {

/// Jobs of one class, as a centre knows them.
struct MachineClass {
  double jobs = 0;        ///< that run at once, >= 0; a mean, and so not always whole
  double nodes = 1;       ///< of one job, > 0
  double checkpoint = 0;  ///< bytes of one checkpoint, >= 0
  double recovery = 0;    ///< bytes read after a failure, >= 0
  double regular =
      0;  ///< bytes per second of one job, input and output on average over its life, >= 0
  /// Failure-free seconds of work of one job. Used where it writes no checkpoints: all of it is then one segment,
  /// without end where it is absent.
  std::optional<double> work = {};
};

struct SharedMachine {
  double nodes = 1;      ///< in all, > 0
  double bandwidth = 1;  ///< of the file system, bytes/s, > 0; may be infinite
  double node_bandwidth = std::numeric_limits<double>::infinity();  ///< of one node, bytes/s, > 0
  double mtbf = std::numeric_limits<double>::infinity();            ///< of one node, seconds, > 0
  double downtime = 0;                                              ///< seconds, after each failure
  double regular = 0;  ///< bytes/s of input and output beside what the classes say
  std::vector<MachineClass> classes = {};

  /// bytes/s that one job of a class can use when it is alone.
  [[nodiscard]] double job_bandwidth(const MachineClass& one) const;
};

/// The classes as shares of the machine and of its file system.
[[nodiscard]] std::vector<SharedClass> shared_classes(const SharedMachine& machine);

/// Share of the bandwidth that input and output take.
[[nodiscard]] double regular_load(const SharedMachine& machine);

/// The greatest useful share of the machine, a bound on every rule. @returns nullopt where recoveries and regular
/// transfers alone take the whole bandwidth
[[nodiscard]] std::optional<double> useful_share_bound(const SharedMachine& machine);

/// The bandwidth above which there is a plan, bytes/s: where recoveries and regular transfers take `limit` of it. 0 where
/// any bandwidth does.
[[nodiscard]] double least_bandwidth(const SharedMachine& machine, double limit = 1);

/// The bandwidth at which the bound reaches a share, bytes/s; the bound rises with the bandwidth.
/// @param share  in (0, 1)
/// @returns nullopt where it stays below at any bandwidth
[[nodiscard]] std::optional<double> bandwidth_for_share(const SharedMachine& machine, double share);

/// What the bound gains per byte/s more: a central difference of 1e-4 of the bandwidth. @pre useful_share_bound(machine)
[[nodiscard]] double value_of_bandwidth(const SharedMachine& machine);

}  // namespace holdfast
