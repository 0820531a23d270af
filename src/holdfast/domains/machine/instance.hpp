#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/machine/job_classes.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/law.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::machine {

inline constexpr double kNever = std::numeric_limits<double>::infinity();
/// Nodes of one machine: each has a place in a table.
inline constexpr std::int64_t kMostNodes = 10'000'000;

/// What happens to a job that has lost a node.
enum class OnFailure : std::uint8_t {
  respawn,  ///< it keeps its nodes, the failed one is renewed at once
  requeue,  ///< it goes to the head of the queue, the failed node to repair
};
/// Which job starts when nodes are free.
enum class Scheduler : std::uint8_t {
  fcfs,       ///< the head, as soon as it fits
  easy,       ///< the same, and others that do not delay it by the estimates
  first_fit,  ///< whoever fits, in order of arrival
};
/// What happens to a job that runs longer than its estimate.
enum class Walltime : std::uint8_t { extend, kill };

/// One job. Volumes in bytes, times in seconds.
struct Job {
  std::string id = {};
  std::uint32_t group = 0;  ///< position in Instance::groups
  double submit = 0;
  std::int64_t nodes = 1;
  double work = kNever;  ///< without failures and transfers; kNever: a job without end
  double input = 0;      ///< read at the start
  double output = 0;     ///< written at the end; 0: a last checkpoint is
  double checkpoint = 0;
  double recovery = 0;                  ///< read after a failure
  std::optional<double> period = {};    ///< period of its own: work between two checkpoints
  std::vector<double> segments = {};    ///< segments of its own: work before each checkpoint
  std::optional<double> estimate = {};  ///< what the scheduler is told; default: estimate_of()

  [[nodiscard]] bool is_endless() const { return work == kNever; }
};

/// A machine with its file system, and what it has to do: `jobs`, or where there are `classes` a mix of endless jobs
/// (`mix`), or jobs that are drawn by the classes' shares.
struct Instance {
  std::int64_t nodes = 0;
  double bandwidth = kNever;       ///< B of the file system, bytes/s; may be infinite
  double node_bandwidth = kNever;  ///< node bandwidth of one node, bytes/s
  double downtime = 0;             ///< D
  double repair = 0;               ///< repair of a failed node, with OnFailure::requeue
  OnFailure on_failure = OnFailure::respawn;
  Scheduler scheduler = Scheduler::fcfs;
  Walltime walltime = Walltime::extend;
  double horizon = kNever;  ///< the run ends then; kNever: when all jobs have ended
  double warmup = 0;        ///< what is before is not measured
  double platform_age = 0;

  std::optional<Law> law = {};  ///< law of the time between two failures of one node
  /// Observed MTBF of one node, in the log that gave the law.
  std::optional<double> observed_mtbf = {};
  std::optional<std::vector<FailureEvent>> events = {};  ///< fixes the failures
  std::vector<AgeGroup> ages = {};  ///< ages of the nodes at the start; empty: the platform's

  std::vector<Job> jobs = {};            ///< in order of submission
  std::vector<std::string> groups = {};  ///< names of the jobs' classes
  std::vector<JobClass> classes = {};    ///< the group of class k is k
  double jitter = 0.1;                   ///< jitter of the work of drawn jobs
  /// Class and number of its endless jobs.
  std::vector<std::pair<std::string, std::int64_t>> mix = {};
  std::vector<std::string> notes = {};  ///< what the reader had to decide

  /// b_j of a job on that many nodes.
  [[nodiscard]] double job_bandwidth(std::int64_t job_nodes) const;
  /// Returns the mean time between failures of one node that strategies know, in seconds; infinite without failures.
  [[nodiscard]] double node_mtbf() const;
  [[nodiscard]] bool draws_jobs() const { return !classes.empty() && mix.empty(); }
  /// The same jobs run for ever: neither arrivals nor ends.
  [[nodiscard]] bool is_steady() const;
  [[nodiscard]] double window() const { return horizon - warmup; }
};

/// Checks all rules about valid problems.
/// @returns bad_value with the JSON pointer of the field
[[nodiscard]] Status check(const Instance& instance);

/// Returns the seconds that a transfer takes where nobody else moves anything.
[[nodiscard]] double dedicated_time(double volume, double bandwidth);

/// Returns what the scheduler is told of a job: its own estimate, or 1.2 times work and dedicated transfers, with checkpoints
/// after Young and Daly's period.
[[nodiscard]] double estimate_of(const Instance& instance, const Job& job);

}  // namespace holdfast::machine
