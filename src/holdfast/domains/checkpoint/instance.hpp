#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/checkpoint/spare_platform.hpp"
#include "holdfast/inputs/failure_model.hpp"
#include "holdfast/models/resilience/job.hpp"
#include "holdfast/models/resilience/late_saves.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::checkpoint {

/// The largest number of processors of one job.
inline constexpr std::int64_t kMostProcessors = (std::int64_t{1} << 32) - 1;

/// Which processors are new again after a failure.
enum class Rejuvenation : std::uint8_t {
  failed,  ///< only the one that failed; all others keep ageing
  all,     ///< every processor (this needs as many spares as processors, and is only for study)
};

/// Time that a strategy takes to plan again, added to each recovery.
struct PlanningTime {
  enum class Mode : std::uint8_t { none, fixed, measured };
  Mode mode = Mode::none;
  double seconds = 0;  ///< seconds of Mode::fixed
  friend bool operator==(const PlanningTime&, const PlanningTime&) = default;
};

/// Checkpoints of level 1: in the nodes themselves, or with a partner node. They are cheap but do not survive every failure.
/// Checkpoints of level 2, on the file system, survive all failures.
struct LocalLevel {
  double checkpoint = 0;  ///< C1, seconds; 0: the job has no local checkpoints
  double recovery = 0;    ///< R1, seconds
  double share = 0;       ///< q, the share of failures that these checkpoints survive

  [[nodiscard]] bool exists() const { return checkpoint > 0; }
};

/// One job on one platform, whose failure units are processors. Times are in seconds.
struct Instance : FailureModel {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// T_base, the work in seconds on all processors without failures; kNever for a job without end.
  double work = kNever;
  std::int64_t processors = 1;  ///< p, the failure units of the job
  double checkpoint = 0;        ///< C, seconds
  double recovery = 0;          ///< R, seconds
  double downtime = 0;          ///< D, seconds
  /// Whether a checkpoint ends the job, and whether a failure in its first segment costs a recovery.
  JobEnds ends;
  /// Work between two points at which the job can checkpoint, seconds; 0 if it can checkpoint anywhere.
  double iteration = 0;
  double checkpoint_spread = 0;  ///< coefficient of variation of C, lognormal
  double recovery_spread = 0;    ///< of R
  LateSaves late;                ///< checkpoints that are safe only after their end
  double time_limit = 0;  ///< wall time of one submission to a batch system, seconds; 0: none
  /// The level below the file system; C and R belong to the file system.
  LocalLevel local;

  std::optional<Law> belief;  ///< the law that strategies assume, if it is not the true one
  Rejuvenation rejuvenation = Rejuvenation::failed;
  std::vector<std::string>
      nodes;  ///< names of the processors, in the order of their numbers; empty: they have none
  double platform_age = 0;  ///< T_plat, age of the platform when the job starts, seconds
  double horizon = kNever;  ///< age of the platform at which a run is given up, seconds

  SparePlatform platform;  ///< spare nodes and repairs

  /// The outages of a log that the nodes of the job and the spares meet; nothing: they are drawn.
  std::optional<RecordedOutages> recorded;
  bool is_window = false;        ///< true: the job lasts as long as the log, and ends with it
  std::vector<double> segments;  ///< work of each segment, for strategy `as-given`
  PlanningTime planning;
  /// True if the document gave the law's mean as 'mtbf', which some users mistake for the machine's.
  bool mean_is_of_one = false;
  bool has_ages = false;  ///< true if the document or its log has the ages of the processors

  [[nodiscard]] ResilienceCosts costs() const { return {checkpoint, recovery, downtime}; }
  /// Returns the time at which the run must end, in seconds from the job's start.
  [[nodiscard]] double deadline() const { return horizon - platform_age; }
  /// Returns true if the job goes on with fewer nodes where no spare is left.
  [[nodiscard]] bool is_elastic() const {
    return platform.minimum_nodes && *platform.minimum_nodes < processors;
  }
};

/// Checks all rules about valid problems. Errors name the field as a JSON pointer and say what was found.
[[nodiscard]] Status check(const Instance& instance);
/// Checks the rules between the fields of the platform alone: processors, ages, horizon, events.
[[nodiscard]] Status check_platform(const Instance& instance);

/// Returns the mean time between failures of one processor in seconds: the observed one, or else the law's mean.
/// @pre instance.law
[[nodiscard]] double processor_mtbf(const Instance& instance);
/// Returns the long-run mean time between failures of the job by the law, in seconds: mean / p, or with total rejuvenation the
/// mean time to the first failure among p new processors.
/// @pre instance.law
[[nodiscard]] double law_mtbf(const Instance& instance);
/// Returns the mean time between failures of the job in seconds as it was observed: processor_mtbf() / p. With total
/// rejuvenation, or if nothing was observed, it is law_mtbf().
/// @pre instance.law
[[nodiscard]] double job_mtbf(const Instance& instance);

/// Returns Young and Daly's period for the costs of the instance, of which some checkpoints may not be whole. @param mtbf  seconds
[[nodiscard]] double usual_period(const Instance& instance, double mtbf);

/// Returns the point nearest to `cut` at which the job can checkpoint, but later than `done` and not before `earliest`: a whole number
/// of iterations, or the end of the work. All are seconds of work since the job's start.
[[nodiscard]] double boundary(const Instance& instance, double done, double cut,
                              double earliest = 0);

/// Returns the instance as its strategies know it: with their belief instead of the law.
[[nodiscard]] Instance as_believed(const Instance& instance);

/// Returns the ages at the start: instance.ages, or one group.
[[nodiscard]] std::vector<AgeGroup> initial_groups(const Instance& instance);

}  // namespace holdfast::checkpoint
