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

/// What a job on its nodes is doing.
enum class Doing : std::uint8_t { work, downtime, input, checkpoint, recovery, output };
/// "work", "downtime" ...
[[nodiscard]] std::string_view name(Doing doing);

/// What one job came to, in seconds; of the account, what lies in the window.
struct JobOutcome {
  std::uint32_t job = 0;
  double start = kNever;
  double end = kNever;  ///< end of its nodes; where the run ended before, that date
  bool completed = false;
  double yield = 0;
  Account account = {};
};

/// A job that has nodes, or had some before it was interrupted.
struct RunningJob {
  const Job* job = nullptr;
  std::uint32_t index = 0;  ///< index of the job
  std::vector<NodeRange> nodes = {};

  // Alone: bytes/s, failures per second, seconds.
  double bandwidth = 0;
  double rate = 0;
  double checkpoint = 0;
  double recovery = 0;

  Doing doing = Doing::work;
  bool asked = false;         ///< it works on while its checkpoint waits
  bool at_end = false;        ///< its work is done
  bool is_restarted = false;  ///< it has to read its state, or its input, again
  bool has_ended = false;     ///< all of it is done
  double arrival = 0;
  double start = 0;         ///< for the first time
  double began = 0;         ///< on its present nodes
  double on_nodes = 0;      ///< before that
  double since = 0;         ///< what was before is in the account
  double saved = 0;         ///< seconds of work
  double unsaved = 0;       ///< seconds of work, up to `since`
  double measured = 0;      ///< measured of these, in the window
  double delay = 0;         ///< stalls beyond the dedicated time of what was moved, up to `since`
  double stalled_from = 0;  ///< since when its present checkpoint stalls it
  double volume = 0;        ///< volume of the present transfer
  double left = 0;          ///< bytes of it that are left at `since`
  std::int64_t saves = 0;
  Account account = {};

  // What Set-10 learns of it: the mean of the work before an operation and the operation alone.
  int set = -2;  ///< set of an iteration of 0.01 s, as in io
  std::int64_t operations = 0;
  double worked_since_operation = 0;
  double iterations = 0;
  double iteration_count = 0;

  // Its plan: a period, or the work at each of the next checkpoints since `planned_from`.
  RunningMix::Kind kind = 0;
  double period = 0;  ///< period of rules that need not look again
  std::unique_ptr<checkpoints::ContinuousPlanner> planner = {};  ///< planner of next-step
  std::vector<double> cuts = {};
  std::size_t next_cut = 0;
  double planned_from = 0;

  // The row of the schedule that is under way.
  double row_from = 0;
  double row_rate = 0;
  bool is_struck = false;
  std::vector<std::size_t> unsaved_rows = {};
  std::vector<std::size_t> transfer_rows = {};

  [[nodiscard]] bool stalls() const { return doing != Doing::work && doing != Doing::downtime; }
  [[nodiscard]] double nodes_held() const { return static_cast<double>(job->nodes); }

  /// Puts what it has done since `since` into the account.
  /// @param remaining  bytes of its transfer that are left now
  /// @param is_measured  the window has begun
  void account_until(double now, double remaining, bool is_measured);
  /// What it has done since its last save is safe, lost, or left open.
  void settle(Use use);
  /// 1 - delay / age, of what is in the account.
  [[nodiscard]] double yield_at(double now) const;
};

}  // namespace holdfast::machine
