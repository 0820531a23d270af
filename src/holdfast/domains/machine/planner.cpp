#include "holdfast/domains/machine/planner.hpp"

#include "holdfast/algorithms/checkpoints/outlook.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

namespace holdfast::machine {
namespace {

bool asks_hazard(PeriodKind kind) {
  return kind == PeriodKind::local_young_daly || kind == PeriodKind::next_step;
}

bool is_cooperative(PeriodKind kind) {
  return kind == PeriodKind::cooperative || kind == PeriodKind::cooperative_first_order;
}

// The next segment if a checkpoint follows each `period`; a remainder within rounding is no segment of its own.
double after_each(double period, double left) {
  constexpr double kRounding = 1e-9;
  return left <= period * (1 + kRounding) ? left : period;
}

double present_period(checkpoints::Outlook& outlook, double checkpoint) {
  const HazardCurve& curve = outlook.curve(checkpoint);
  double rate = curve.hazard(0);
  // The hazard of new nodes may be infinite or 0: take the mean over the next checkpoint.
  if (!std::isfinite(rate) || rate <= 0) rate = curve.cumulative(checkpoint) / checkpoint;
  return young_daly_period(checkpoint, 1 / rate);
}

}  // namespace

Planner::Planner(const Instance& instance, const PeriodRule& rule, Realisation& realisation,
                 bool has_targets)
    : instance_{instance},
      rule_{rule},
      realisation_{realisation},
      uses_mix_{has_targets || is_cooperative(rule.kind)},
      mix_{instance, rule.load},
      measured_(instance.groups.size(), 1.0) {
  if (asks_hazard(rule.kind)) renewed_ = realisation.renewals();
}

void Planner::start(RunningJob& job) {
  if (uses_mix_) {
    job.kind = mix_.kind_of(*job.job);
    mix_.start(job.kind);
  }
  job.period = 0;
  job.cuts.clear();
}

void Planner::end(const RunningJob& job) {
  if (uses_mix_) mix_.end(job.kind);
}

void Planner::fail(double date, std::int64_t node) {
  ++seen_;
  if (!renewed_.empty()) renewed_[static_cast<std::size_t>(node)] = date;
}

void Planner::learn(const RunningJob& job, double stall) {
  if (rule_.kind != PeriodKind::measured) return;
  constexpr double kMemory = 0.9;
  double& mean = measured_[job.job->group];
  mean = kMemory * mean + (1 - kMemory) * stall / job.checkpoint;
}

bool Planner::keeps_own(const Job& job) const {
  if (rule_.kind == PeriodKind::as_given) return true;
  return rule_.own_first && (job.period || !job.segments.empty());
}

double Planner::own(const RunningJob& job, double left) const {
  const Job& given = *job.job;
  if (!given.segments.empty()) {
    const auto next = static_cast<std::size_t>(job.saves);
    // The last segment is what is left: decimal fractions do not add up exactly.
    return next + 1 >= given.segments.size() ? left : std::min(given.segments[next], left);
  }
  return given.period ? after_each(*given.period, left) : left;
}

PeriodQuestion Planner::question(const RunningJob& job) const {
  return {.work = job.job->work,
          .checkpoint = job.checkpoint,
          .recovery = job.recovery,
          .downtime = instance_.downtime,
          .rate = job.rate,
          .has_output = job.job->output > 0};
}

double Planner::next(RunningJob& job, double left, double now) {
  if (keeps_own(*job.job)) return own(job, left);
  if (!(job.checkpoint > 0) || !(job.rate > 0 || rule_.kind == PeriodKind::fixed)) return left;
  const double last_extra = job.job->output > 0 ? job.checkpoint : 0;
  switch (rule_.kind) {
    case PeriodKind::fixed:
      return after_each(rule_.interval, left);
    case PeriodKind::measured:
      return equal_segment(
          left, young_daly_period(job.checkpoint * measured_[job.job->group], 1 / job.rate),
          last_extra);
    case PeriodKind::cooperative:
    case PeriodKind::cooperative_first_order:
      return equal_segment(left,
                           mix_.period(job.kind, rule_.kind == PeriodKind::cooperative_first_order),
                           last_extra);
    case PeriodKind::local_young_daly:
    case PeriodKind::next_step:
      return by_hazard(job, left, now);
    default:
      if (job.period == 0) job.period = usual_period(rule_.kind, question(job));
      return equal_segment(left, job.period, last_extra);
  }
}

double Planner::by_hazard(RunningJob& job, double left, double now) {
  const TabulatedLaw& law = *realisation_.law();
  if (job.job->nodes == instance_.nodes) {
    checkpoints::TraceOutlook outlook(realisation_.hazard());
    outlook.move_to(realisation_.past() + seen_, realisation_.origin() + now);
    return planned(job, left, outlook);
  }
  checkpoints::AgesOutlook outlook(law, ages_of(job, now));
  return planned(job, left, outlook);
}

double Planner::planned(RunningJob& job, double left, checkpoints::Outlook& outlook) {
  if (rule_.kind == PeriodKind::local_young_daly) {
    const double period = present_period(outlook, job.checkpoint);
    const double segments = std::max(1.0, std::ceil(left / period));
    return std::isfinite(segments) ? left / segments : period;
  }
  // A plan is valid until a failure, or until more work was saved than was requested.
  constexpr double kSame = 1e-9;
  const double done = job.saved - job.planned_from;
  const bool holds = job.next_cut > 0 && job.next_cut < job.cuts.size() &&
                     std::abs(done - job.cuts[job.next_cut - 1]) <= kSame * job.saved;
  if (!holds) {
    if (job.planner == nullptr) {
      const JobEnds ends{.final_checkpoint = job.job->output == 0};
      job.planner = std::make_unique<checkpoints::ContinuousPlanner>(
          job.checkpoint, ends, checkpoints::Goal::share,
          young_daly_period(job.checkpoint, 1 / job.rate));
    }
    const auto cuts = job.planner->plan(outlook, left);
    job.cuts.assign(cuts.begin(), cuts.end());
    job.planned_from = job.saved;
    job.next_cut = 0;
  }
  const double cut = job.planned_from + job.cuts[job.next_cut++] - job.saved;
  return std::isfinite(left) && cut >= left * (1 - kSame) ? left : cut;
}

Ages Planner::ages_of(const RunningJob& job, double now) const {
  if (instance_.law->name() == "exponential") return same_age(job.job->nodes, 1);
  std::vector<double> dates;
  dates.reserve(static_cast<std::size_t>(job.job->nodes));
  for (const NodeRange& range : job.nodes) {
    dates.insert(dates.end(), renewed_.begin() + range.first, renewed_.begin() + range.last);
  }
  std::sort(dates.begin(), dates.end(), std::greater<>());
  std::vector<AgeGroup> groups;
  for (const double date : dates) {
    if (!groups.empty() && groups.back().age == now - date) {
      ++groups.back().count;
    } else {
      groups.push_back({.age = now - date, .count = 1});
    }
  }
  return make_ages(std::move(groups));
}

double Planner::target(const RunningJob& job) {
  if (keeps_own(*job.job) && job.job->period) return *job.job->period;
  if (!uses_mix_ || !(job.checkpoint > 0)) return kNever;
  return mix_.period(job.kind, false);
}

}  // namespace holdfast::machine
