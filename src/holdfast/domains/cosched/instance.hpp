#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace holdfast::cosched {

/// The source's profile: T1 = 2 m log2 m, t(j) = f T1 + (1 - f) T1 / j + (m / j) log2 m, where m is the task's data.
/// Source: the co-scheduling report, section 6.1.
struct MLogProfile {
  double sequential_fraction = 0.08;
};

/// How the failure-free time of a task depends on its processors: the source's profile, one of models/speedup, or a table
/// (whose last entry holds for all larger counts).
using Profile = std::variant<MLogProfile, Speedup>;

struct Task {
  std::string id;
  /// M: units of data; a unit takes one second to send, and checkpoint_unit_cost to save.
  double data = 0;
  Profile profile;
};

/// A failure of a processor at a time in seconds from the start.
struct Failure {
  double time = 0;
  std::int64_t processor = 0;
};

/// Several malleable applications that start together on one machine. Times are in seconds.
struct Instance {
  std::int64_t processors = 0;  ///< p; if odd, one processor is not used
  double mtbf = 100 * kYear;    ///< mu of one processor; unused when fault_free
  double downtime = 60;
  double checkpoint_unit_cost = 1;      ///< c: C_i = c m_i processor-seconds
  double redistribution_unit_cost = 1;  ///< factor on the cost of a move; 0 makes moves free
  bool fault_free = false;              ///< no failures and no checkpoints
  std::vector<Task> tasks;
  std::optional<std::vector<Failure>> failures;  ///< fixes the scenario; absent: failures are drawn
  /// Allocations for the strategy `as-given`: at the start, then after each event.
  std::vector<std::vector<std::int64_t>> given;

  [[nodiscard]] std::int64_t even_processors() const { return processors - processors % 2; }
};

/// Checks all rules for valid instances: p >= 2n, m > 1, mtbf > 0, costs in range, dates sorted, allocations even.
/// @returns bad_value with the JSON pointer of the field, or infeasible if 2n processors do not exist
[[nodiscard]] Status check(const Instance& instance);

/// Refuses a free checkpoint if there are failures, because the period would be 0.
[[nodiscard]] Status check_checkpoint_cost(double unit_cost, bool fault_free);

/// Returns what the user should know, in one sentence each: periods for which the first-order rule is not valid (C > 0.1 mu /
/// j), and tables whose time grows or whose work shrinks with the processors.
[[nodiscard]] std::vector<std::string> warnings(const Instance& instance);

}  // namespace holdfast::cosched
