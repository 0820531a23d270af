#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/machine/job_classes.hpp"
#include "holdfast/inputs/failure_model.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::machine {

inline constexpr double kNever = std::numeric_limits<double>::infinity();
/// The largest number of nodes of a machine; each has an entry in a table.
inline constexpr std::int64_t kMostNodes = 10'000'000;

/// What happens to a job that has lost a node.
enum class OnFailure : std::uint8_t {
  respawn,  ///< the job keeps its nodes, and the failed one is renewed at once
  requeue,  ///< the job goes to the head of the queue, and the failed node is repaired
};
/// Which job starts when nodes are free.
enum class Scheduler : std::uint8_t {
  fcfs,       ///< the first job of the queue, as soon as it fits
  easy,       ///< the same, and other jobs that do not delay it according to the estimates
  first_fit,  ///< every job that fits, in order of arrival
};
/// What happens to a job that runs longer than its estimate.
enum class Walltime : std::uint8_t { extend, kill };

/// One job. Volumes in bytes, times in seconds.
struct Job {
  std::string id = {};
  std::uint32_t group = 0;  ///< position in Instance::groups
  double submit = 0;
  std::int64_t nodes = 1;
  double work = kNever;  ///< seconds of work without failures and transfers; kNever: an endless job
  double input = 0;      ///< read at the start
  double output = 0;     ///< written at the end; 0: a last checkpoint is written instead
  double checkpoint = 0;
  double recovery = 0;                ///< bytes that are read after a failure
  std::optional<double> period = {};  ///< the job's own period: work between two checkpoints
  std::vector<double> segments = {};  ///< the job's own segments: work before each checkpoint
  /// The run time that the scheduler is given, seconds; default: estimate_of().
  std::optional<double> estimate = {};

  [[nodiscard]] bool is_endless() const { return work == kNever; }
};

/// A machine, whose failure units are nodes, with its file system and its jobs: `jobs`, or with `classes` a mix of endless jobs (`mix`) or jobs that are drawn
/// by the shares of the classes.
struct Instance : FailureModel {
  std::int64_t nodes = 0;
  double bandwidth = kNever;       ///< bandwidth of the file system B, bytes/s; may be infinite
  double node_bandwidth = kNever;  ///< bandwidth of one node, bytes/s
  double downtime = 0;             ///< downtime D after a failure, seconds
  double repair = 0;               ///< seconds to repair a failed node, with OnFailure::requeue
  OnFailure on_failure = OnFailure::respawn;
  Scheduler scheduler = Scheduler::fcfs;
  Walltime walltime = Walltime::extend;
  double horizon = kNever;  ///< seconds at which the run ends; kNever: when all jobs have ended
  double warmup = 0;        ///< seconds at the start that are not measured
  double platform_age = 0;  ///< seconds

  std::vector<Job> jobs = {};            ///< in order of submission
  std::vector<std::string> groups = {};  ///< names of the jobs' classes
  std::vector<JobClass> classes = {};    ///< group k is class k
  double jitter = 0.1;                   ///< relative variation of the work of drawn jobs
  /// Each class with the number of its endless jobs.
  std::vector<std::pair<std::string, std::int64_t>> mix = {};

  /// Returns the bandwidth b_j of a job on that many nodes, bytes/s.
  [[nodiscard]] double job_bandwidth(std::int64_t job_nodes) const;
  /// Returns the mean time between failures of one node that strategies know, in seconds; infinite without failures.
  [[nodiscard]] double node_mtbf() const;
  [[nodiscard]] bool draws_jobs() const { return !classes.empty() && mix.empty(); }
  /// Returns true if the same jobs run for ever, without arrivals and ends.
  [[nodiscard]] bool is_steady() const;
  [[nodiscard]] double window() const { return horizon - warmup; }
};

/// Checks all rules for valid instances.
/// @returns bad_value with the JSON pointer of the field
[[nodiscard]] Status check(const Instance& instance);

/// Returns the seconds that a transfer takes if no other job moves data.
[[nodiscard]] double dedicated_time(double volume, double bandwidth);

/// Returns the run time that the scheduler is given for a job: its own estimate, or 1.2 times the sum of work and dedicated
/// transfers, with checkpoints at Young and Daly's period.
[[nodiscard]] double estimate_of(const Instance& instance, const Job& job);

}  // namespace holdfast::machine
