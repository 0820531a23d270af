#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::io {

/// A phase of an application: it computes, or it moves data and waits for the transfer.
struct Phase {
  enum class Kind : std::uint8_t {
    io,    ///< amount: volume, bytes
    work,  ///< amount: seconds
    lead,  ///< work that Set-10 does not count as part of an iteration
  };
  Kind kind = Kind::work;
  double amount = 0;
};

/// One application on its own nodes. At any time it either computes or does I/O.
struct Application {
  std::string id = {};
  double nodes = 1;      ///< p_i: number of nodes, its weight in efficiency and utilization
  double bandwidth = 0;  ///< b_i: the bandwidth of its nodes, bytes/s, at most that of the system
  double release = 0;    ///< r_i, seconds; not after the begin of the window
  /// P_i at the begin of the window: seconds of dedicated execution done since r_i.
  double progress = 0;
  /// Phases from the begin of the window; the first may be the rest of a phase.
  std::vector<Phase> phases = {};
  bool repeat = false;  ///< true: after the last phase the first one follows again
};

/// The choices that the source leaves open. Each has one value for users and one that follows the authors' simulator
/// (`--profile author`). Source: thesis, chapter 7; readings in README.md.
struct Reading {
  /// True: equal keys are ordered by index and compared exactly. False: by posting and in groups.
  bool ties_by_index = false;
  /// True: LookAhead's horizon ends with the window, and candidates are in index order.
  bool lookahead_in_window = false;
  /// True: the next additional decision of Periodic is one period after the last decision.
  bool rolling_timer = false;
  /// True: Set-10 learns an iteration when its operation ends, instead of when it is posted.
  bool learn_at_completion = false;
  /// True: BestNextEvent uses the whole length of the window instead of the rest of it.
  bool whole_window = false;
  bool cut_phases = false;  ///< phases end with the window, so their last volume looks smaller
  /// Fraction of the window that is shared equally before measuring begins.
  double warmup = 0;
  /// LookAhead serves the lowest yield first if it is below this fraction of the median of all yields.
  double lookahead_floor = 0;
};

/// Rates that apply from a given time, one per application (strategy `as-given`).
struct GivenRates {
  double time = 0;
  std::vector<double> rates;
};

/// Applications that share one file system during a window in which no application starts or ends.
struct Instance {
  double bandwidth = 0;  ///< B, bytes/s
  double begin = 0;      ///< begin of the window, seconds
  double end = 0;
  std::vector<Application> applications = {};
  Reading reading = {};
  /// True: an application may have no phases left before the end of the window, and is then idle.
  bool allow_completion = false;
  std::vector<GivenRates> given = {};
  std::optional<double> nodes = {};  ///< nodes of the machine, if known
  /// The applications in order of iteration time and in order of their fraction of I/O, if the metrics of sixths were asked
  /// for.
  std::vector<std::uint32_t> by_iteration = {}, by_fraction = {};

  [[nodiscard]] double length() const { return end - begin; }
};

/// Checks all rules for valid instances.
/// @returns bad_value with the JSON pointer of the field
[[nodiscard]] Status check(const Instance& instance);

/// Cuts every list of phases where it would reach the end of the window if the application were alone.
void cut_to_window(Instance& instance);

}  // namespace holdfast::io
