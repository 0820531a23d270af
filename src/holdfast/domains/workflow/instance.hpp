#pragma once

#include "holdfast/algorithms/dag.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/models/failures/law.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::workflow {

/// The reading of the model: that of the thesis's text, or that of its author's simulator, for reproducing published numbers.
enum class Profile : std::uint8_t { standard, author };

/// The divisor of ratios: the failure-free makespan of the bare tasks, or that of a list schedule in which every task is
/// followed by one checkpoint.
enum class Base : std::uint8_t { bare, one_checkpoint };

/// Whether all strategies see the same failures, or each its own.
enum class LuckOf : std::uint8_t { all, each };

/// The order in which waiting tasks start. Among tasks with equal keys, the lower one is first.
enum class Priority : std::uint8_t { lpt, fifo, bottom_level, spt };

inline constexpr std::array<std::string_view, 4> kPriorityNames = {"lpt", "fifo", "bottom-level",
                                                                   "spt"};

/// The part of one task's outcome that is fixed. If neither member is set, the task does not fail.
struct FixedOutcome {
  std::vector<double> gaps;  ///< seconds of exposed time between its failures; none after the last
  std::optional<double> duration;  ///< seconds, including checkpoints and failures

  friend bool operator==(const FixedOutcome&, const FixedOutcome&) = default;
};

/// A machine of identical processors that fail, and the rules for its use.
struct Machine {
  std::int64_t processors = 1;  ///< processors of the machine, from 1 to kMostProcessors
  /// Mean time between failures of one processor, seconds; infinity: no failures.
  double mtbf = std::numeric_limits<double>::infinity();
  /// Law of that time; nothing: exponential, by the rules for failures without memory.
  std::optional<Law> law;
  double platform_age = 0;  ///< with a law: time since the processors were new, seconds
  double downtime = 0;  ///< seconds between a failure and the recovery, without failures in between

  Priority priority = Priority::lpt;
  bool strict = false;  ///< no task starts before an earlier task of the list that waits
  Profile profile = Profile::standard;
  Base base = Base::bare;
  LuckOf luck = LuckOf::all;
};

/// Costs in seconds, for all tasks without costs of their own.
struct Costs {
  double all_checkpoints = 0;
  std::optional<double> all_recoveries;  ///< nothing: as long as the checkpoint
};

/// An instance: rigid tasks with dependencies, on a machine.
struct Instance : Machine {
  Dag graph;
  std::vector<double> lengths;        ///< [n] seconds without failures and checkpoints, >= 0
  std::vector<std::uint32_t> widths;  ///< [n] processors of each task, or empty: one each
  std::vector<double> checkpoints;    ///< [n] seconds after each segment, or one number for all
  std::vector<double> recoveries;     ///< [n] seconds after each failure, or one number for all
  std::vector<std::string> ids;       ///< [n], or empty: tasks are called by their positions

  std::vector<std::int64_t> segments;        ///< [n] for strategy `as-given`, or empty
  std::vector<FixedOutcome> fixed_outcomes;  ///< [n] fixes the scenario, or empty

  [[nodiscard]] std::size_t size() const { return lengths.size(); }
  [[nodiscard]] std::uint32_t width(std::size_t task) const {
    return widths.empty() ? 1 : widths[task];
  }
  [[nodiscard]] double checkpoint(std::size_t task) const {
    return checkpoints[checkpoints.size() == 1 ? 0 : task];
  }
  [[nodiscard]] double recovery(std::size_t task) const {
    return recoveries[recoveries.size() == 1 ? 0 : task];
  }
  /// Returns a task's failures per exposed second: its processors divided by the mtbf.
  [[nodiscard]] double rate(std::size_t task) const {
    return static_cast<double>(width(task)) / mtbf;
  }
  /// Returns the id of a task, or its position.
  [[nodiscard]] std::string name(std::size_t task) const;
  /// Returns true if nothing is random.
  [[nodiscard]] bool is_fixed() const { return !fixed_outcomes.empty() || !(1 / mtbf > 0); }
  /// Returns true if the ages of processors count.
  [[nodiscard]] bool has_ages() const { return law && law->name() != "exponential"; }
};

/// The largest number of processors that list scheduling supports.
inline constexpr std::int64_t kMostProcessors = 4'294'967'294;
/// The largest number of segments of one task; instances and strategies with more are refused.
inline constexpr std::int64_t kMostSegments = 1'000'000'000;

/// Checks all rules for valid instances. The error is the first violation, with its place.
[[nodiscard]] Status check(const Instance& instance);

}  // namespace holdfast::workflow
