#pragma once

#include "holdfast/algorithms/checkpoints/continuous.hpp"
#include "holdfast/domains/machine/mix.hpp"
#include "holdfast/domains/machine/periods.hpp"
#include "holdfast/domains/machine/realisation.hpp"
#include "holdfast/domains/machine/running.hpp"

#include <vector>

namespace holdfast::machine {

/// The rule by which jobs ask for their next checkpoint, with what it knows: the running jobs and the failures so far.
class Planner {
 public:
  /// @param has_targets  true: the strategy uses priced periods, whatever the rule
  Planner(const Instance& instance, const PeriodRule& rule, Realisation& realisation,
          bool has_targets);

  void start(RunningJob& job);
  void end(const RunningJob& job);
  /// Records a failure. Node numbers are those of the machine.
  void fail(double date, std::int64_t node);
  /// Records the stall of a complete checkpoint, in seconds.
  void learn(const RunningJob& job, double stall);

  /// Returns the seconds of work until the next request, in (0, left]. The result is exactly `left` if the job does not ask
  /// again before its work ends.
  /// @param left  seconds of work, > 0; both this and the result may be infinite
  [[nodiscard]] double next(RunningJob& job, double left, double now);
  /// Returns the seconds of work after which the checkpoint of a job is due.
  [[nodiscard]] double target(const RunningJob& job);

 private:
  [[nodiscard]] bool keeps_own(const Job& job) const;
  [[nodiscard]] double own(const RunningJob& job, double left) const;
  [[nodiscard]] PeriodQuestion question(const RunningJob& job) const;
  [[nodiscard]] double by_hazard(RunningJob& job, double left, double now);
  [[nodiscard]] double planned(RunningJob& job, double left, checkpoints::Outlook& outlook);
  [[nodiscard]] Ages ages_of(const RunningJob& job, double now) const;

  const Instance& instance_;
  PeriodRule rule_;
  Realisation& realisation_;
  bool uses_mix_;
  RunningMix mix_;
  /// [groups] mean stall of a checkpoint divided by its dedicated length
  std::vector<double> measured_;
  std::vector<double> renewed_;  ///< [nodes] date of the last renewal, if the rule needs ages
  std::size_t seen_ = 0;         ///< number of failures so far
};

}  // namespace holdfast::machine
