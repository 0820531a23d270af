#pragma once

#include "holdfast/algorithms/checkpoints/continuous.hpp"
#include "holdfast/domains/machine/account.hpp"
#include "holdfast/domains/machine/instance.hpp"
#include "holdfast/domains/machine/metrics.hpp"
#include "holdfast/domains/machine/mix.hpp"
#include "holdfast/domains/machine/nodes.hpp"
#include "holdfast/domains/machine/schedule.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace holdfast::machine {

/// The activity of a job on its nodes.
enum class Doing : std::uint8_t { work, downtime, input, checkpoint, recovery, output };
/// Returns "work", "downtime" ...
[[nodiscard]] std::string_view name(Doing doing);

/// The results of one job, in seconds. The account covers only the window.
struct JobOutcome {
  std::uint32_t job = 0;
  double start = kNever;
  /// Date at which it released its nodes, or the end of the run if that came before.
  double end = kNever;
  bool completed = false;
  double yield = 0;
  Account account = {};
};

/// A job that has nodes, or had nodes before it was interrupted.
struct RunningJob {
  const Job* job = nullptr;
  std::uint32_t index = 0;  ///< index of the job in Jobs
  std::vector<NodeRange> nodes = {};

  // Values of the job alone: bytes/s, failures per second, seconds.
  double bandwidth = 0;
  double rate = 0;
  double checkpoint = 0;
  double recovery = 0;

  Doing doing = Doing::work;
  bool asked = false;         ///< it keeps working while its checkpoint waits
  bool at_end = false;        ///< its work is done
  bool is_restarted = false;  ///< it has to read its state or its input again
  bool has_ended = false;     ///< everything is done, transfers included
  double arrival = 0;
  double start = 0;         ///< date of its first start
  double began = 0;         ///< date of its start on the current nodes
  double on_nodes = 0;      ///< time on earlier nodes, seconds
  double since = 0;         ///< date up to which the account is complete
  double saved = 0;         ///< saved work, seconds
  double unsaved = 0;       ///< unsaved work up to `since`, seconds
  double measured = 0;      ///< part of this in the measured window
  double delay = 0;         ///< stalls beyond the dedicated time of what was moved, up to `since`
  double stalled_from = 0;  ///< date from which its current checkpoint has stalled it
  double volume = 0;        ///< bytes of the current transfer
  double left = 0;          ///< bytes of it that are left at `since`
  std::int64_t saves = 0;
  Account account = {};

  // The values that Set-10 learns: the mean of the work before an operation and the operation alone.
  int set = -2;  ///< set of an iteration of 0.01 s, as in io
  std::int64_t operations = 0;
  double worked_since_operation = 0;
  double iterations = 0;
  double iteration_count = 0;

  // Its plan: a period, or the work at each of the next checkpoints since `planned_from`.
  RunningMix::Kind kind = 0;
  double period = 0;  ///< for rules that compute the period once
  std::unique_ptr<checkpoints::ContinuousPlanner> planner = {};  ///< planner of the rule next-step
  std::vector<double> cuts = {};
  std::size_t next_cut = 0;
  double planned_from = 0;

  // The current row of the schedule.
  double row_from = 0;
  double row_rate = 0;
  bool is_struck = false;
  std::vector<std::size_t> unsaved_rows = {};
  std::vector<std::size_t> transfer_rows = {};

  [[nodiscard]] bool stalls() const { return doing != Doing::work && doing != Doing::downtime; }
  [[nodiscard]] double nodes_held() const { return static_cast<double>(job->nodes); }

  /// Adds what the job has done since `since` to its account.
  /// @param remaining  bytes of its transfer that are left now
  /// @param is_measured  true: the window has begun
  void account_until(double now, double remaining, bool is_measured);
  /// Adds the measured work since the last save to the account with this use: saved, lost or open.
  void settle(Use use);
  /// Returns 1 - delay / age, for the time in the account.
  [[nodiscard]] double yield_at(double now) const;
};

}  // namespace holdfast::machine
