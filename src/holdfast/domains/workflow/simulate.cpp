#include "holdfast/domains/workflow/simulate.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/workflow/expected_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace holdfast::workflow {
namespace {

std::vector<double> undisturbed(const PreparedInstance& prepared,
                                std::span<const std::int64_t> segments) {
  std::vector<double> out;
  out.reserve(segments.size());
  for (const TaskIndex task : prepared.ranked.task_of) {
    out.push_back(prepared.execution(task, segments[task]).undisturbed());
  }
  return out;
}

std::vector<std::int64_t> segments_of(std::span<const Cut> cuts) {
  std::vector<std::int64_t> out;
  out.reserve(cuts.size());
  for (const Cut& cut : cuts) out.push_back(cut.segments);
  return out;
}

// Returns the ratio; nothing if the base is 0.
std::optional<double> over(double makespan, double base) {
  return base > 0 ? std::optional(makespan / base) : std::nullopt;
}

double checkpointed_makespan(const Instance& instance) {
  std::vector<double> extra(instance.size());
  for (std::size_t task = 0; task < extra.size(); ++task) extra[task] = instance.checkpoint(task);
  return failure_free_schedule(instance, extra).makespan;
}

}  // namespace

PreparedInstance::PreparedInstance(const Instance& from)
    : instance{&from},
      schedule{failure_free_schedule(from)},
      concurrency{workflow::concurrency(from, schedule)},
      ranked{from, schedule},
      failures{from.is_fixed() ? FailureRealisation() : FailureRealisation(from)},
      law{from.law ? std::make_shared<const TabulatedLaw>(*from.law) : nullptr},
      bare{schedule.makespan},
      checkpointed{checkpointed_makespan(from)},
      bound{expected_bound(from)} {}

Metrics PreparedInstance::metrics(double makespan, std::int64_t failed) const {
  const double base = instance->base == Base::bare ? bare : checkpointed;
  return {.makespan = makespan,
          .ratio = over(makespan, base),
          .failures = failed,
          .checkpointed_ratio = over(makespan, checkpointed),
          .expected_bound = bound,
          .bound_ratio = bound ? over(makespan, *bound) : std::nullopt};
}

Execution PreparedInstance::execution(std::size_t task, std::int64_t segments) const {
  return {.length = instance->lengths[task],
          .segments = segments,
          .checkpoint = instance->checkpoint(task),
          .recovery = instance->recovery(task),
          .downtime = instance->downtime,
          .is_recovery_exposed = instance->profile == Profile::standard};
}

Simulator::Simulator(const PreparedInstance& prepared, std::span<const Cut> cuts)
    : prepared_{&prepared},
      segments_{segments_of(cuts)},
      replay_{prepared.ranked, undisturbed(prepared, segments_)} {
  if (prepared.instance->is_fixed()) return;
  for (TaskIndex task = 0; task < segments_.size(); ++task) {
    const double exposed = prepared.execution(task, segments_[task]).undisturbed();
    if (exposed > prepared.failures.covered(task)) beyond_.push_back(task);
  }
}

Status Simulator::feasible() const {
  constexpr double kMostHazard = 16.1;  // ln 10^7
  const Instance& instance = *prepared_->instance;
  if (instance.is_fixed()) return {};
  for (std::size_t task = 0; task < segments_.size(); ++task) {
    const Execution execution = prepared_->execution(task, segments_[task]);
    const double hazard =
        instance.rate(task) *
        (execution.segment() + (execution.is_recovery_exposed ? execution.recovery : 0));
    if (hazard <= kMostHazard) continue;
    return fail(ErrorCode::infeasible, fmt::format("/tasks/{}", task),
                fmt::format("task {} in {} segments of {:.6g} s with their checkpoints is "
                            "expected to fail more than 10^7 times: it would not end",
                            in_quotes(instance.name(task)), segments_[task], execution.segment()));
  }
  return {};
}

void Simulator::change(TaskIndex task, const ExposureOutcome& outcome) {
  changed_.emplace_back(prepared_->ranked.rank_of[task], outcome.duration);
  failures_.emplace_back(task, outcome.failures);
  total_failures_ += outcome.failures;
}

Metrics Simulator::run(const StreamKey& key, std::span<const FirstFailure> first,
                       std::vector<TaskRun>* tasks) {
  changed_.clear();
  failures_.clear();
  total_failures_ = 0;
  for (const FirstFailure& failure : first) {
    const Execution execution = prepared_->execution(failure.task, segments_[failure.task]);
    if (failure.gap >= execution.undisturbed()) continue;
    const ExposureOutcome outcome = prepared_->failures.outcome(execution, key, failure);
    if (outcome.failures > 0) change(failure.task, outcome);
  }
  auto hit = first.begin();
  for (const TaskIndex task : beyond_) {
    while (hit != first.end() && hit->task < task) ++hit;
    if (hit != first.end() && hit->task == task) continue;
    const ExposureOutcome outcome =
        prepared_->failures.outcome_beyond(prepared_->execution(task, segments_[task]), key, task);
    if (outcome.failures > 0) change(task, outcome);
  }
  return finish(tasks);
}

Metrics Simulator::run_fixed(std::vector<TaskRun>* tasks) {
  changed_.clear();
  failures_.clear();
  total_failures_ = 0;
  const Instance& instance = *prepared_->instance;
  for (TaskIndex task = 0; task < instance.fixed_outcomes.size(); ++task) {
    const FixedOutcome& fixed = instance.fixed_outcomes[task];
    if (fixed.duration) {
      change(task, {.duration = *fixed.duration, .failures = 0});
    } else if (!fixed.gaps.empty()) {
      change(task, walk_gaps(prepared_->execution(task, segments_[task]), fixed.gaps));
    }
  }
  return finish(tasks);
}

Metrics Simulator::run_plainly(const StreamKey& key) {
  changed_.clear();
  failures_.clear();
  total_failures_ = 0;
  for (TaskIndex task = 0; task < segments_.size(); ++task) {
    change(task, prepared_->failures.plain_outcome(prepared_->execution(task, segments_[task]), key,
                                                   task));
  }
  std::ranges::sort(changed_);
  const double makespan = replay_.run_whole(changed_);
  return prepared_->metrics(makespan, total_failures_);
}

Metrics Simulator::finish(std::vector<TaskRun>* tasks) {
  std::ranges::sort(changed_);
  const double makespan = tasks == nullptr ? replay_.run(changed_) : replay_.run_whole(changed_);
  if (tasks != nullptr) {
    std::vector<std::int64_t> failures(segments_.size(), 0);
    for (const auto& [task, count] : failures_) failures[task] = count;
    tasks->clear();
    for (std::size_t rank = 0; rank < prepared_->ranked.size(); ++rank) {
      const TaskIndex task = prepared_->ranked.task_of[rank];
      tasks->push_back(
          {task, replay_.start(rank), replay_.end(rank), segments_[task], failures[task]});
    }
  }
  return prepared_->metrics(makespan, total_failures_);
}

std::vector<Cut> decided(const PreparedInstance& prepared, const Strategy& strategy) {
  std::vector<Cut> cuts(prepared.instance->size());
  strategy.decide(prepared.situation(), cuts);
  return cuts;
}

}  // namespace holdfast::workflow
