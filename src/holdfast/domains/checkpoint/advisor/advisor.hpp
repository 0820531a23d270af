#pragma once

#include "holdfast/algorithms/checkpoints/continuous.hpp"
#include "holdfast/domains/checkpoint/advisor/cost_estimate.hpp"
#include "holdfast/domains/checkpoint/advisor/node_ages.hpp"
#include "holdfast/domains/checkpoint/advisor/progress_rate.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"
#include "holdfast/models/failures/hazard_curve.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace holdfast::checkpoint {

/// How an advisor finds the next checkpoint.
enum class AdvisorRule : std::uint8_t {
  next_step,  ///< the first segment of the best plan until the next failure, from the law and the ages
  young_daly,  ///< the period sqrt(2 C / lambda) of the mean rate, whatever the ages
};

/// What may be said to an advisor. Durations are in seconds.
struct AdvisorSettings {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  AdvisorRule rule = AdvisorRule::next_step;
  /// Work of the whole job, where nobody tells progress; kNever: without end.
  double work = kNever;
  std::optional<double> checkpoint = {};  ///< C0, a guess or an earlier value
  std::optional<double> recovery = {};    ///< R0
  std::optional<double> downtime = {};    ///< D0
  std::optional<double> flush = {};  ///< L0: what a checkpoint wrote is safe so much after its end
  double first = 60;             ///< work before the first checkpoint, where nothing is known of C
  double min_interval = 0;       ///< work between two checkpoints at least
  double max_interval = kNever;  ///< and at most
  double max_overhead = 1;       ///< C / (C + w) at most
  double trust = 1;       ///< k of theta = (k + F) / (k + H); kNever: the rate is not corrected
  LocalLevel local = {};  ///< a level below, whose checkpoints a share of the failures spares
  JobEnds ends = {};      ///< whether the last segment is followed by a checkpoint
};

/// What an advisor has learned of a job, for the job's next run.
struct Learned {
  double interruptions = 0;  ///< F
  double expected = 0;       ///< H, the interruptions that law and ages promised for the same time
  double saved = 0;          ///< work that is safe, seconds
  CostEstimate checkpoint, recovery, downtime, flush;
  CostEstimate local_checkpoint;
};

/// For logs and dashboards. Durations are in seconds; NaN if nothing is known yet.
struct Advice {
  double due = 0;         ///< from now, at least 0; infinite: no checkpoint is wanted
  double interval = 0;    ///< w, work between the last checkpoint and the next
  double checkpoint = 0;  ///< C
  double recovery = 0;    ///< R
  double rate = 0;        ///< interruptions per second to be expected now, with theta
  double theta = 1;       ///< interruptions per interruption that law and ages promise
  /// Expected part of the time that becomes saved work, until the next failure.
  double efficiency = 0;
  double young_daly = 0;         ///< that rule's period for this rate
  std::int64_t checkpoints = 0;  ///< written in this run
  std::int64_t failures = 0;     ///< met in this run
  int level = 1;                 ///< of the next checkpoint, as Advisor::level() has it
};

/// An interruption of the job.
struct Interruption {
  /// The node's number, if nodes can be distinguished.
  std::optional<std::size_t> node = std::nullopt;
  std::optional<double> born = std::nullopt;  ///< or the date of its last renewal, if that is known
  bool counts = true;  ///< false: no evidence about the nodes (it ended soon after its start)
  bool ended = true;   ///< false: the program survived it and goes on
};

/// Decides when a running job writes its checkpoints (spec advisor, section 3): it plans again after every event, of which the
/// first segment is kept, from what the job itself teaches: its costs, its speed, the failures that it meets. It knows
/// no clock, no system and no lock: `now` is in seconds on any clock that never goes back, and the nodes age by it.
/// What it has once been large enough for allocates nothing.
///
///   start -> ready -> (checkpoint_begin -> checkpoint_end [-> checkpoint_durable]) ... -> failure | stopped -> start ...
///
/// An event out of this order changes nothing and returns false.
class Advisor {
 public:
  static constexpr double kNever = AdvisorSettings::kNever;

  /// @param nodes  with the law that the rule goes by: of young_daly, the exponential one of the mean
  /// @param other  asked instead of the rule, if there is one; it meets failures that are corrected by theta
  Advisor(const AdvisorSettings& settings, NodeAges nodes,
          std::unique_ptr<Strategy> other = nullptr);

  // What happens.

  /// The program is launched. @param restores  it starts from a checkpoint: this is a recovery, and is measured
  bool start(double now, bool restores);
  /// It works from now on. Without a start before, nothing is measured.
  bool ready(double now);
  /// @param level  of a job with two levels: what it writes, whatever was due
  bool checkpoint_begin(double now, Level level = Level::global);
  bool checkpoint_end(double now, bool ok);
  /// What the last checkpoint wrote is safe. Whoever calls this writes asynchronously, and on one level.
  bool checkpoint_durable(double now);
  /// In any unit. @param total  0 or less: unknown
  bool progress(double now, double done, double total);
  /// The work left is known, in seconds of running time, whatever was said of it before.
  void set_work_left(double now, double seconds);
  bool failure(double now, const Interruption& what);
  /// The program ended, or was ended, and no failure is to blame.
  bool stopped(double now);
  /// A node was renewed without interrupting the job.
  void renewal(double now, std::optional<std::size_t> node);
  /// The same of the node that was last renewed at that date, for those who know it.
  void renewal_of(double now, double born);
  /// What lies in local checkpoints alone is gone.
  void lose_local();
  /// Time until the allocation ends; infinite: it has no end.
  void time_left(double now, double seconds);
  /// The program can only save when it asks, and asks so often: mean time between two questions since the last checkpoint.
  void questions_every(double seconds) { spacing_ = seconds; }

  // What to do.

  /// When the next checkpoint is to begin: half a question early. kNever while none is wanted.
  [[nodiscard]] double due() const { return due_; }
  /// Work from the last checkpoint to the next, seconds.
  [[nodiscard]] double interval() const { return interval_; }
  /// The level that is due, 0 for none: 1, or of a job with two levels 1 for a local checkpoint and 2 for a global one.
  [[nodiscard]] int level(double now) const { return now >= due_ ? next_level(now) : 0; }
  /// The level of the next checkpoint, when it is due. The last one of an allocation is global.
  [[nodiscard]] int next_level(double now) const {
    return now >= stop_ ? top_level() : std::min(static_cast<int>(next_), top_level());
  }
  [[nodiscard]] int top_level() const { return settings_.local.exists() ? 2 : 1; }
  /// When the last checkpoint of the allocation has to begin; kNever without an end.
  [[nodiscard]] double stop_date() const { return stop_; }
  /// The allocation is as good as over: save, if a checkpoint is due, and end.
  [[nodiscard]] bool should_stop(double now) const { return now >= stop_; }
  /// Time that is kept free for the last checkpoint.
  [[nodiscard]] double reserve(double now) const;

  [[nodiscard]] Advice advice(double now) const;
  [[nodiscard]] double theta() const;
  /// Work that a failure now would lose, seconds.
  [[nodiscard]] double unsaved(double now) const;
  /// No rule had an answer: the last interval is that of a hazard of nothing.
  [[nodiscard]] bool has_fallen_back() const { return has_fallen_back_; }
  [[nodiscard]] const NodeAges& nodes() const { return nodes_; }

  [[nodiscard]] Learned learned(double now) const;
  /// Takes over what an earlier run has learned, before the first event.
  void remember(const Learned& learned);

 private:
  enum class Phase : std::uint8_t { idle, starting, running, saving };

  [[nodiscard]] double expected(double now) const;
  [[nodiscard]] double position(double now) const { return saved_ + unsaved(now); }
  void settle(double now);
  void learn_work();
  void end_run();
  void decide(double now);
  /// The failures that one level is there for.
  struct Part {
    double cost = 0;   ///< of its checkpoints, seconds
    double share = 1;  ///< of the failures
  };
  [[nodiscard]] double interval_of_one(double now, double left, double room);
  [[nodiscard]] double interval_of_two(double now, double ahead);
  [[nodiscard]] double best_interval(double now, double work, const Part& part);
  [[nodiscard]] double planned(double now, double work, const Part& part);
  [[nodiscard]] double of_young_daly(double work, const Part& part);
  [[nodiscard]] double of_other(double now, double work);
  [[nodiscard]] double within_bounds(double interval, double cost) const;
  [[nodiscard]] double mean_hazard(double now) const;
  [[nodiscard]] double cost() const;
  void set_due(double now, double wanted);
  void set_stop(double now);

  AdvisorSettings settings_;
  NodeAges nodes_;
  std::unique_ptr<Strategy> other_;
  checkpoints::ContinuousPlanner planner_;
  HazardCurve curve_;

  CostEstimate checkpoint_, recovery_, downtime_, flush_;
  CostEstimate local_checkpoint_;
  ProgressRate rate_;

  Phase phase_ = Phase::idle;
  double since_ = 0;                  ///< exposure and work are counted up to here
  double launched_ = 0;               ///< date of the last start
  bool restores_ = false;             ///< that start is a recovery
  std::optional<double> down_since_;  ///< date of the failure that the job has not come back from
  double interruptions_ = 0;          ///< F
  double expected_ = 0;               ///< H

  double work_;              ///< of the whole job, seconds; kNever: unknown
  double saved_ = 0;         ///< work that is safe
  double at_risk_ = 0;       ///< of it, in local checkpoints alone
  std::int64_t locals_ = 0;  ///< these checkpoints
  double in_flight_ = 0;     ///< work that the last checkpoint has written and that is not safe yet
  double segment_ = 0;       ///< work since the last checkpoint
  double worked_ = 0;        ///< in this run, saved or not
  // What was last said of progress.
  double done_ = 0;
  double total_ = 0;
  double told_at_ = 0;  ///< the job's position then

  Level saving_ = Level::global;
  double saving_since_ = 0;
  double saved_at_ = 0;      ///< date of the last checkpoint's end
  int failed_in_a_row_ = 0;  ///< checkpoints
  bool is_asynchronous_ = false;
  bool is_closed_ = false;  ///< the allocation's last checkpoint is written
  double end_ = kNever;     ///< end of the allocation
  double spacing_ = 0;      ///< s

  double interval_ = 0;
  Level next_ = Level::local;
  std::size_t segments_ = 0;  ///< of the last plan, if it covers all the work
  double efficiency_ = 0;
  double wanted_ = kNever;
  double due_ = kNever;
  double stop_ = kNever;
  bool has_fallen_back_ = false;
  std::int64_t checkpoints_ = 0;
  std::int64_t failures_ = 0;
};

}  // namespace holdfast::checkpoint
