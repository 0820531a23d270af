#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::io {

/// A stretch of an application's life: it computes, or it moves data and waits for them.
struct Phase {
  enum class Kind : std::uint8_t {
    io,    ///< amount: volume, bytes
    work,  ///< amount: seconds
    lead,  ///< work that Set-10 does not count as part of an iteration
  };
  Kind kind = Kind::work;
  double amount = 0;
};

/// One application on its own nodes. It either computes or does I/O.
struct Application {
  std::string id = {};
  double nodes = 1;      ///< p_i: its weight in efficiency and utilization
  double bandwidth = 0;  ///< b_i: what its nodes can move, bytes/s, at most the system's
  double release = 0;    ///< r_i, seconds; at or before the window
  /// P_i at the window's begin: seconds of dedicated execution done since r_i.
  double progress = 0;
  std::vector<Phase> phases = {};  ///< from the window's begin on; the first may be the rest of one
  bool repeat = false;             ///< after the last phase the first comes again
};

/// How the choices are read that the source leaves open; each has a reading for users and the one of the authors'
/// simulator (`--profile author`). Source: thesis, chapter 7; decision 0025.
struct Reading {
  /// Equal keys: by index and compared exactly, not by posting and in groups.
  bool ties_by_index = false;
  /// LookAhead's horizon ends with the window, candidates in index order.
  bool lookahead_in_window = false;
  /// Periodic: the next extra decision is a period after the last decision.
  bool rolling_timer = false;
  /// Set-10 learns an iteration when its operation ends, not when it is posted.
  bool learn_at_completion = false;
  bool whole_window = false;   ///< BestNextEvent takes the window's length for what is left of it
  bool cut_phases = false;     ///< phases end with the window: their last volume looks smaller
  double warmup = 0;           ///< part of the window that is shared equally before it is measured
  double lookahead_floor = 0;  ///< LookAhead serves the lowest yield first where that is below this
                               ///< part of the median of all yields
};

/// Rates that hold from a time on, one per application (strategy `as-given`).
struct GivenRates {
  double time = 0;
  std::vector<double> rates;
};

/// Applications that share one file system during a window in which nobody joins or leaves.
struct Instance {
  double bandwidth = 0;  ///< B, bytes/s
  double begin = 0;      ///< begin of the window, seconds
  double end = 0;
  std::vector<Application> applications = {};
  Reading reading = {};
  /// An application may run out of phases inside the window, and then idles.
  bool allow_completion = false;
  std::vector<GivenRates> given = {};
  std::optional<double> nodes = {};  ///< nodes of the machine, where they are known
  /// The applications in order of their iteration times and of their fractions of I/O, where the metrics of sixths
  /// are asked for.
  std::vector<std::uint32_t> by_iteration = {}, by_fraction = {};

  [[nodiscard]] double length() const { return end - begin; }
};

/// Checks all rules about valid problems.
/// @returns bad_value with the JSON pointer of the field
[[nodiscard]] Status check(const Instance& instance);

/// Every phase list cut where it would reach the window's end if the application were alone.
void cut_to_window(Instance& instance);

}  // namespace holdfast::io
