#pragma once

#include "holdfast/algorithms/checkpoints/continuous.hpp"
#include "holdfast/domains/machine/mix.hpp"
#include "holdfast/domains/machine/periods.hpp"
#include "holdfast/domains/machine/realisation.hpp"
#include "holdfast/domains/machine/running.hpp"

#include <vector>

namespace holdfast::machine {

/// Says jobs when to ask for their next checkpoint, by one rule. Knows the jobs that run and the failures so far.
class Planner {
 public:
  /// @param has_targets  the strategy goes by priced periods, whatever the rule
  Planner(const Instance& instance, const PeriodRule& rule, Realisation& realisation,
          bool has_targets);

  void start(RunningJob& job);
  void end(const RunningJob& job);
  /// A failure struck; node numbers as the machine has them.
  void fail(double date, std::int64_t node);
  /// The stall that a whole checkpoint was.
  void learn(const RunningJob& job, double stall);

  /// Work until the next request, in (0, left]; `left` exactly where the job does not ask again before its work ends.
  /// @param left  seconds of work, > 0; may be infinite, and so may be the answer
  [[nodiscard]] double next(RunningJob& job, double left, double now);
  /// Work after which a job should have been saved.
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
  std::vector<double> measured_;  ///< [groups] mean stall of a checkpoint over its length alone
  std::vector<double> renewed_;   ///< [nodes] where the rule needs ages
  std::size_t seen_ = 0;          ///< failures so far
};

}  // namespace holdfast::machine
