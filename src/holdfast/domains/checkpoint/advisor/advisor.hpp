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
  /// The first segment of the best plan until the next failure, computed from the law and the ages.
  next_step,
  young_daly,  ///< the period sqrt(2 C / lambda) for the mean rate, whatever the ages
};

/// Settings of an advisor. Durations are in seconds.
struct AdvisorSettings {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  AdvisorRule rule = AdvisorRule::next_step;
  /// Work of the whole job, used if progress is not reported; kNever: endless.
  double work = kNever;
  std::optional<double> checkpoint = {};  ///< C0, a guess or an earlier value
  std::optional<double> recovery = {};    ///< R0
  std::optional<double> downtime = {};    ///< D0
  /// L0: time from the end of a checkpoint until its data are safe.
  std::optional<double> flush = {};
  double first = 60;             ///< work before the first checkpoint if C is unknown
  double min_interval = 0;       ///< least work between two checkpoints
  double max_interval = kNever;  ///< most work between two checkpoints
  double max_overhead = 1;       ///< largest C / (C + w)
  double trust = 1;       ///< k in theta = (k + F) / (k + H); kNever: the rate is not corrected
  LocalLevel local = {};  ///< a cheaper level, whose checkpoints survive a share of the failures
  bool has_spares =
      false;          ///< the node that steps in for a failed one is not new, unless that is said
  JobEnds ends = {};  ///< whether the last segment is followed by a checkpoint
};

/// What an advisor has learned about a job, for the job's next run.
struct Learned {
  double interruptions = 0;  ///< F
  /// H, the number of interruptions that law and ages predict for the same time.
  double expected = 0;
  double saved = 0;  ///< saved work, seconds
  CostEstimate checkpoint, recovery, downtime, flush;
  CostEstimate local_checkpoint;
};

/// The current advice, for logs and dashboards. Durations are in seconds; NaN if nothing is known yet.
struct Advice {
  double due = 0;         ///< seconds from now, at least 0; infinite: no checkpoint is wanted
  double interval = 0;    ///< w, work between the last checkpoint and the next
  double checkpoint = 0;  ///< C
  double recovery = 0;    ///< R
  double rate = 0;        ///< expected interruptions per second now, corrected by theta
  double theta = 1;       ///< ratio of observed to predicted interruptions
  /// Expected fraction of the time that becomes saved work, until the next failure.
  double share_before_failure = 0;
  double young_daly = 0;         ///< Young/Daly's period for this rate
  std::int64_t checkpoints = 0;  ///< number written in this run
  std::int64_t failures = 0;     ///< number in this run
  int level = 1;                 ///< level of the next checkpoint, as returned by Advisor::level()
};

/// An interruption of the job.
struct Interruption {
  /// The node's number, if nodes can be distinguished.
  std::optional<std::size_t> node = std::nullopt;
  /// Date of the node's last renewal, in seconds, if that is known instead.
  std::optional<double> born = std::nullopt;
  /// False: no evidence about the nodes (the program ended soon after its start).
  bool counts = true;
  bool ended = true;  ///< false: the program survived it and continues
};

/// An advisor, which decides when a running job writes its checkpoints (docs/decisions/0057). After every event it plans
/// again and keeps the first segment of the plan. It learns costs, speed and failures from the job itself. It does not use
/// clocks, the operating system or locks: `now` is in seconds on any clock that never goes back, and the nodes age with it. It
/// allocates memory only when something becomes larger than ever before.
///
///   start -> ready -> (checkpoint_begin -> checkpoint_end [-> checkpoint_durable]) ... -> failure | stopped -> start ...
///
/// An event out of this order changes nothing and returns false.
class Advisor {
 public:
  static constexpr double kNever = AdvisorSettings::kNever;

  /// @param nodes  with the law that the rule uses; for young_daly, the exponential law of the same mean
  /// @param other  replaces the rule, if given; it sees failures corrected by theta
  Advisor(const AdvisorSettings& settings, NodeAges nodes,
          std::unique_ptr<Strategy> other = nullptr);

  // Events.

  /// Reports that the program was launched. @param restores  true: it starts from a checkpoint, and this recovery is measured
  bool start(double now, bool restores);
  /// Reports that the program works from now on. Without an earlier start(), nothing is measured.
  bool ready(double now);
  /// Reports that the program begins to write a checkpoint.
  /// @param level  for a job with two levels: the level that it writes, whatever was due
  /// @param is_asynchronous  true: it is saved when it is durable, not at its end. For jobs with one level
  bool checkpoint_begin(double now, Level level = Level::global, bool is_asynchronous = false);
  /// Reports that this checkpoint has ended. @param ok  false: it failed, and saved nothing
  bool checkpoint_end(double now, bool ok);
  /// Reports that the data of the last checkpoint are safe. For programs that write asynchronously, and on one level.
  bool checkpoint_durable(double now);
  /// Reports progress in any unit. @param total  progress at the end; 0 or less: unknown
  bool progress(double now, double done, double total);
  /// Reports a failure.
  bool failure(double now, const Interruption& what);
  /// Reports that the program ended, or was ended, without a failure.
  bool stopped(double now);
  /// Reports that a node was renewed without interrupting the job.
  void renewal(double now, std::optional<std::size_t> node);
  /// Reports the same for the node that was last renewed at that date, for callers who know it.
  void renewal_of(double now, double born);
  /// Reports that another node has taken the place of one. @param node  its number; nothing: the node that failed last
  /// @param age  seconds since the last renewal of the other; nothing: it is as old as most
  void replaced(double now, std::optional<std::size_t> node, std::optional<double> age);
  /// Reports that everything that is only in local checkpoints is lost.
  void lose_local();
  /// Sets the time until the allocation ends, in seconds; infinite: it has no end.
  void time_left(double now, double seconds);
  /// Sets the mean time between two questions since the last checkpoint, in seconds, for a program that can save only when it
  /// asks.
  void questions_every(double seconds) { spacing_ = seconds; }

  // Advice.

  /// Returns the date at which the next checkpoint should begin, earlier by half the time between two questions; kNever while
  /// none is wanted.
  [[nodiscard]] double due() const { return due_; }
  /// Returns the work from the last checkpoint to the next, in seconds.
  [[nodiscard]] double interval() const { return interval_; }
  /// Returns the level that is due, or 0 if none is. A job with one level has level 1; with two levels, 1 is a local checkpoint
  /// and 2 a global one.
  [[nodiscard]] int level(double now) const { return now >= due_ ? next_level(now) : 0; }
  /// Returns the level of the next checkpoint, whenever it is due. The last one of an allocation is global.
  [[nodiscard]] int next_level(double now) const {
    return now >= stop_ ? top_level() : std::min(static_cast<int>(next_), top_level());
  }
  [[nodiscard]] int top_level() const { return settings_.local.exists() ? 2 : 1; }
  /// Returns the date at which the last checkpoint of the allocation has to begin; kNever without an end.
  [[nodiscard]] double stop_date() const { return stop_; }
  /// Returns true if the allocation is almost over: save, if a checkpoint is due, and end.
  [[nodiscard]] bool should_stop(double now) const { return now >= stop_; }
  /// Returns the time reserved for the last checkpoint, in seconds.
  [[nodiscard]] double reserve(double now) const;

  [[nodiscard]] Advice advice(double now) const;
  [[nodiscard]] double theta() const;
  /// Returns the seconds of work that a failure now would lose.
  [[nodiscard]] double unsaved(double now) const;
  /// Returns true if neither the rule nor Young/Daly's formula gave an interval; the last interval is then the one for a hazard
  /// of 0.
  [[nodiscard]] bool has_fallen_back() const { return has_fallen_back_; }
  [[nodiscard]] const NodeAges& nodes() const { return nodes_; }

  [[nodiscard]] Learned learned(double now) const;
  /// Takes over what an earlier run has learned. Call this before the first event.
  void remember(const Learned& learned);

 private:
  enum class Phase : std::uint8_t { idle, starting, running, saving };

  [[nodiscard]] double expected(double now) const;
  [[nodiscard]] double position(double now) const { return saved_ + unsaved(now); }
  void settle(double now);
  void renew(double now, const Interruption& what);
  void learn_work();
  void end_run();
  void decide(double now);
  /// The failures that one level protects against.
  struct Part {
    double cost = 0;   ///< cost of its checkpoints, seconds
    double share = 1;  ///< share of the failures
  };
  [[nodiscard]] double interval_of_one(double now, double left, double room);
  [[nodiscard]] double interval_of_two(double now, double ahead);
  [[nodiscard]] double best_interval(double now, double work, const Part& part);
  [[nodiscard]] double planned(double now, double work, const Part& part);
  [[nodiscard]] double of_young_daly(double work, const Part& part);
  [[nodiscard]] double of_other(double now, double work);
  [[nodiscard]] double within_bounds(double interval, double cost) const;
  [[nodiscard]] bool ends_without_saving(double left) const;
  [[nodiscard]] double after_the_end(double now, double left);
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
  double since_ = 0;                  ///< date up to which exposure and work are counted
  double launched_ = 0;               ///< date of the last start
  bool restores_ = false;             ///< true: that start is a recovery
  std::optional<double> down_since_;  ///< date of the failure from which the job has not come back
  double interruptions_ = 0;          ///< F
  double expected_ = 0;               ///< H

  double work_;              ///< work of the whole job, seconds; kNever: unknown
  double saved_ = 0;         ///< saved work, seconds
  double at_risk_ = 0;       ///< part of it that is only in local checkpoints
  std::int64_t locals_ = 0;  ///< number of these checkpoints
  double in_flight_ = 0;     ///< work in the last checkpoint, which is not safe yet
  double segment_ = 0;       ///< work since the last checkpoint
  double worked_ = 0;        ///< work in this run, saved or not
  // The last report of progress.
  double done_ = 0;
  double total_ = 0;
  double told_at_ = 0;  ///< position of the job at that report

  Level saving_ = Level::global;
  double saving_since_ = 0;
  double saved_at_ = 0;      ///< date of the last checkpoint's end
  int failed_in_a_row_ = 0;  ///< number of checkpoints

  bool is_asynchronous_ = false;     ///< a checkpoint may be safe only some time after its end
  bool tells_asynchronous_ = false;  ///< each begin says whether that is so
  bool is_flying_ = false;           ///< it is so for the checkpoint that is being written

  bool is_closed_ = false;  ///< true: the last checkpoint of the allocation is written
  double end_ = kNever;     ///< end of the allocation
  double spacing_ = 0;      ///< s, time between two questions, seconds

  double interval_ = 0;
  Level next_ = Level::local;
  std::size_t segments_ = 0;  ///< segments of the last plan, if it covers all the work
  double share_ = 0;
  double wanted_ = kNever;
  double due_ = kNever;
  double stop_ = kNever;
  bool has_fallen_back_ = false;
  std::int64_t checkpoints_ = 0;
  std::int64_t failures_ = 0;
};

}  // namespace holdfast::checkpoint
