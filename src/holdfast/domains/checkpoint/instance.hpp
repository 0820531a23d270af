#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/models/resilience/job.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::checkpoint {

/// Failure units of one job.
inline constexpr std::int64_t kMostProcessors = (std::int64_t{1} << 32) - 1;

/// Which processors are new again after a failure.
enum class Rejuvenation : std::uint8_t {
  failed,  ///< the one that failed; all others keep ageing
  all,     ///< every processor (needs as many spares as processors: for study only)
};

/// Time that a strategy takes to plan again, added to each recovery.
struct PlanningTime {
  enum class Mode : std::uint8_t { none, fixed, measured };
  Mode mode = Mode::none;
  double seconds = 0;  ///< of Mode::fixed
  friend bool operator==(const PlanningTime&, const PlanningTime&) = default;
};

/// Checkpoints of level 1: in the nodes themselves, or with a partner. They are cheap, and do not survive every failure; those
/// of level 2, on the file system, do.
struct LocalLevel {
  double checkpoint = 0;  ///< C1, seconds; 0: the job has no such level
  double recovery = 0;    ///< R1
  double share = 0;       ///< q, of the failures, which these checkpoints survive

  [[nodiscard]] bool exists() const { return checkpoint > 0; }
};

/// One job on one platform. Times are in seconds.
struct Instance {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  double work =
      kNever;  ///< T_base, failure-free seconds on all processors; kNever: a job without end
  std::int64_t processors = 1;  ///< p, the failure units of the job
  double checkpoint = 0;        ///< C
  double recovery = 0;          ///< R
  double downtime = 0;          ///< D
  JobEnds ends;  ///< whether a checkpoint closes the job and a recovery reopens its first segment
  double iteration = 0;          ///< work between two points at which the job can save; 0: anywhere
  double checkpoint_spread = 0;  ///< coefficient of variation of C, lognormal
  double recovery_spread = 0;    ///< of R
  LocalLevel local;              ///< a level below the file system's, which C and R are of

  std::optional<Law>
      law;  ///< of the time between two failures of one processor; absent where `events` say it all
  /// Exposure / failures of one processor in the log that gave the law: what rules that know a mean alone go by. A law's
  /// own mean may be an extrapolation.
  std::optional<double> observed_mtbf;
  std::optional<Law> belief;  ///< what strategies take for the law, where it is not the truth
  Rejuvenation rejuvenation = Rejuvenation::failed;
  double platform_age = 0;  ///< T_plat, when the job starts
  std::vector<AgeGroup>
      ages;  ///< at the start, processors numbered in this order; empty: all as old as the platform
  double horizon = kNever;  ///< a run that passes it has failed; counted from the platform's birth

  std::optional<std::vector<FailureEvent>>
      events;                    ///< fixes the failures; dates from the job's start
  std::vector<double> segments;  ///< work of each segment, for strategy `as-given`
  PlanningTime planning;
  bool mean_is_of_one =
      false;  ///< the document gave the law's mean as 'mtbf', which some take for the machine's
  bool has_ages = false;           ///< the document or its log said how old the processors are
  std::vector<std::string> notes;  ///< what its reader had to decide (oddities of a log)

  [[nodiscard]] ResilienceCosts costs() const { return {checkpoint, recovery, downtime}; }
  /// When the run must end, in seconds from the job's start.
  [[nodiscard]] double deadline() const { return horizon - platform_age; }
};

/// Every rule about what is a valid problem. Errors name the field as a JSON pointer and say what was found.
[[nodiscard]] Status check(const Instance& instance);
/// Those between the fields of the platform alone: processors, ages, horizon, events.
[[nodiscard]] Status check_platform(const Instance& instance);

/// Mean time between failures of one processor: as it was observed, where it was, or the law's mean. @pre instance.law
[[nodiscard]] double processor_mtbf(const Instance& instance);
/// Long-run mean time between failures of the job, as the law has it: mean / p, or with total rejuvenation the mean of the
/// first failure among p new processors. @pre instance.law
[[nodiscard]] double law_mtbf(const Instance& instance);
/// The same as it was observed, where it was: processor_mtbf() / p. With total rejuvenation, and where nothing was observed,
/// law_mtbf(). @pre instance.law
[[nodiscard]] double job_mtbf(const Instance& instance);

/// The instance as its strategies know it: with their belief in place of the law.
[[nodiscard]] Instance as_believed(const Instance& instance);

/// Ages at the start: instance.ages, or one group.
[[nodiscard]] std::vector<AgeGroup> initial_groups(const Instance& instance);

}  // namespace holdfast::checkpoint
