#pragma once

#include "holdfast/algorithms/dag.hpp"
#include "holdfast/base/error.hpp"

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

/// Which reading of the model: the thesis's text, or what its author's simulator does, for the
/// reproduction of published numbers.
enum class Profile : std::uint8_t { standard, author };

/// What a ratio divides by: the failure-free makespan of the bare tasks, or that of a list schedule
/// in which every task is followed by one checkpoint.
enum class Base : std::uint8_t { bare, one_checkpoint };

/// Whether all strategies meet the same failures, or each its own.
enum class LuckOf : std::uint8_t { all, each };

/// The order in which waiting tasks start; among equal keys the lower task is first.
enum class Priority : std::uint8_t { lpt, fifo, bottom_level, spt };

inline constexpr std::array<std::string_view, 4> kPriorityNames = {"lpt", "fifo", "bottom-level",
                                                                   "spt"};

/// What is fixed of one task's outcome. Neither: it does not fail.
struct FixedOutcome {
  std::vector<double> gaps;  ///< seconds of exposed time between its failures; none after the last
  std::optional<double> duration;  ///< seconds, checkpoints and failures included

  friend bool operator==(const FixedOutcome&, const FixedOutcome&) = default;
};

/// Identical processors that fail, and the rules by which they are used.
struct Machine {
  std::int64_t processors = 1;  ///< processors of the machine, from 1 to kMostProcessors
  /// Mean time between failures of one processor, seconds; infinity: none fails.
  double mtbf = std::numeric_limits<double>::infinity();
  double downtime = 0;  ///< seconds between a failure and the recovery; no failure strikes then

  Priority priority = Priority::lpt;
  bool strict = false;  ///< nothing starts before the first of the list that waits
  Profile profile = Profile::standard;
  Base base = Base::bare;
  LuckOf luck = LuckOf::all;
};

/// Seconds for all tasks that say nothing else.
struct Costs {
  double all_checkpoints = 0;
  std::optional<double> all_recoveries;  ///< nothing: as long as the checkpoint
};

/// The problem: rigid tasks, and who waits for whom, on a machine.
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
  /// Failures per second of exposed time of a task: its processors over the mtbf.
  [[nodiscard]] double rate(std::size_t task) const {
    return static_cast<double>(width(task)) / mtbf;
  }
  /// Returns the id of a task, or its position.
  [[nodiscard]] std::string name(std::size_t task) const;
  /// Returns true if nothing is left to chance.
  [[nodiscard]] bool is_fixed() const { return !fixed_outcomes.empty() || !(1 / mtbf > 0); }
};

/// The largest numbers that the list scheduling kernel can count.
inline constexpr std::int64_t kMostProcessors = 4'294'967'294;
/// Segments of one task, beyond which an instance or a strategy is refused.
inline constexpr std::int64_t kMostSegments = 1'000'000'000;

/// Checks all rules about valid problems; the error is the first violation, with its place.
[[nodiscard]] Status check(const Instance& instance);

}  // namespace holdfast::workflow
