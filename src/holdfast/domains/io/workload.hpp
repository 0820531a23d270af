#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/io/instance.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::io {

/// The latest begin of a window in seconds: the middle of the 180 days that a workload covers.
inline constexpr double kLatestWindow = 90 * 86400.0;

/// A class of applications of a computing centre: what one run needs and does. Source: thesis, section 7.6.3 (APEX workflows).
struct ApplicationClass {
  std::string name;
  double cores = 0;
  double walltime = 0;    ///< seconds
  double input = 0;       ///< bytes, read at the start
  double output = 0;      ///< bytes, written at the end
  double checkpoint = 0;  ///< bytes, after every hour of work; 0: none
  double share = 0;       ///< share of the machine's node-hours, relative to the other classes
};

/// The machine on which the applications run.
struct Machine {
  double nodes = 0;
  double cores_per_node = 0;
  double node_bandwidth = 0;  ///< bytes/s
  double bandwidth = 0;       ///< bandwidth of the file system, bytes/s
};

/// Returns M_t of the source: Cielo for t = 0. Nodes double every 10 steps; file system and node bandwidth grow more slowly.
[[nodiscard]] Machine machine_of(double step);

/// Steady-state windows of a machine that runs a mix of classes.
struct WorkloadParameters {
  std::vector<ApplicationClass> classes;
  Machine machine;
  std::int64_t windows = 20;  ///< windows to keep from each schedule, the longest ones
  /// True: keep those with the longest gaps between starts, although an application may end much earlier.
  bool by_gap = false;
  double shortest_phase = 1e-3;  ///< seconds: shorter phases are left out
  double volume_scale = 1;       ///< factor on all volumes
  bool skips_output = false;     ///< applications that checkpoint write no output at their end
  /// True: applications are released when they started, and have never been delayed so far. False: when the window begins.
  bool full_history = false;
  Reading reading = {};
};

/// One run of a class in a schedule.
struct PlacedRun {
  std::size_t index = 0;  ///< index of its class
  double nodes = 0;
  double start = 0;  ///< seconds
  double end = 0;
};

/// Returns the runs of a machine in half a year, in order of start. The next class is drawn by how far each is below its share,
/// sizes vary by a tenth, and each run starts at the first date at which its nodes are free.
/// @param number  number of the schedule; each has its own stream
[[nodiscard]] std::vector<PlacedRun> make_schedule(const WorkloadParameters& parameters,
                                                   std::uint64_t seed, std::uint64_t number);

/// Returns the windows of a schedule, longest first and at most parameters.windows. A window reaches from a start to the next
/// start, or to the first end before it, of applications that do I/O in it. It begins in the first half of the schedule.
[[nodiscard]] std::vector<Instance> make_windows(const WorkloadParameters& parameters,
                                                 std::uint64_t seed, std::uint64_t number);

}  // namespace holdfast::io
