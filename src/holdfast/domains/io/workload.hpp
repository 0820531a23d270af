#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/domains/io/instance.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::io {

/// Windows begin in the first half of the 180 days that a workload covers, in seconds.
inline constexpr double kLatestWindow = 90 * 86400.0;

/// A class of applications of a centre: what one run needs and does. Source: thesis, section 7.6.3 (APEX workflows).
struct ApplicationClass {
  std::string name;
  double cores = 0;
  double walltime = 0;    ///< seconds
  double input = 0;       ///< bytes, read at the start
  double output = 0;      ///< bytes, written at the end
  double checkpoint = 0;  ///< bytes, after every hour of work; 0: none
  double share = 0;       ///< share of the machine's node-hours, relative to the other classes
};

/// The machine that they run on.
struct Machine {
  double nodes = 0;
  double cores_per_node = 0;
  double node_bandwidth = 0;  ///< bytes/s
  double bandwidth = 0;       ///< bandwidth of the file system, bytes/s
};

/// M_t of the source: Cielo for t = 0; nodes double every 10 steps, file system and node bandwidth fall behind.
[[nodiscard]] Machine machine_of(double step);

/// Steady-state windows of a machine that runs a mix of classes.
struct WorkloadParameters {
  std::vector<ApplicationClass> classes;
  Machine machine;
  std::int64_t windows = 20;  ///< kept of each schedule, the longest ones
  bool by_gap = false;  ///< those with the longest gaps between starts, though somebody may end
                        ///< much earlier
  double shortest_phase = 1e-3;  ///< seconds: shorter phases are left out
  double volume_scale = 1;       ///< all volumes times this
  bool skips_output = false;     ///< applications that checkpoint write no output at their end
  /// True if applications are released when they started, and were never delayed so far; else when the window begins.
  bool full_history = false;
  Reading reading = {};
};

/// Reads classes: columns name, cores, walltime_h, input_GB, output_GB, checkpoint_GB, share; a GB is 2^30 bytes.
[[nodiscard]] Result<std::vector<ApplicationClass>> read_classes(LineReader lines);

/// One run of a class in a schedule.
struct PlacedRun {
  std::size_t index = 0;  ///< index of its class
  double nodes = 0;
  double start = 0;  ///< seconds
  double end = 0;
};

/// Returns what a machine runs in half a year: classes are drawn by what is missing to their shares, sizes vary by a tenth, and
/// each starts at the first date at which its nodes are free. In order of start.
/// @param number  of the schedule: each has a stream of its own
[[nodiscard]] std::vector<PlacedRun> make_schedule(const WorkloadParameters& parameters,
                                                   std::uint64_t seed, std::uint64_t number);

/// Returns the windows of a schedule, longest first: from a start to the next one, or to the first end before it, of those that
/// do I/O there; those that begin in the schedule's first half; at most parameters.windows.
[[nodiscard]] std::vector<Instance> make_windows(const WorkloadParameters& parameters,
                                                 std::uint64_t seed, std::uint64_t number);

}  // namespace holdfast::io
