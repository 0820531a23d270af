#include "holdfast/domains/moldable/simulate.hpp"

#include "holdfast/models/resilience/silent_errors.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace holdfast::moldable {
namespace {

constexpr double kMostBounds = 4;  // batches with a fall-back end within so many known bounds
constexpr std::int64_t kBatchWork = 200;  // allocations that a batch computes for each job

// Numbers the attempts of each job. They are in order of start, so those of one job are in sequence.
void number_attempts(std::vector<Attempt>& attempts, const std::vector<std::int64_t>& failures) {
  std::vector<std::int64_t> made(failures.size(), 0);
  for (Attempt& attempt : attempts) {
    attempt.number = ++made[attempt.job];
    attempt.has_failed = attempt.number <= failures[attempt.job];
  }
}

// The bound of a scenario. Failures that depend on processors count only where no processors would have avoided them.
double bound_of(const State& all, const Strikes& strikes) {
  Strikes ahead = strikes;
  std::vector<LeastCost> costs;
  for (const std::uint32_t job : all.pending) {
    const LeastRun least = least_run(all.jobs[job], all.processors, job, ahead);
    costs.push_back({.time = least.time,
                     .area = least.area,
                     .release = all.releases.empty() ? 0 : all.releases[job]});
  }
  return lower_bound(std::move(costs), all.processors);
}

}  // namespace

PreparedInstance::PreparedInstance(const Instance& from)
    : instance{&from},
      limits{limits_for_strategies(from)},
      exposures{failure_exposures(from)},
      all(from.size()) {
  std::iota(all.begin(), all.end(), 0U);
}

Simulator::Simulator(const PreparedInstance& prepared, const Strategy& strategy)
    : Simulator(
          prepared.state(prepared.all),
          strategy.course(prepared.state(prepared.all)).value_or(Course{.batches = &strategy})) {}

Simulator::Simulator(const State& all, const Course& course) : all_{all}, course_{course} {
  if (course.rolling) {
    rolling_.emplace(all, *course.rolling);
  } else {
    plan(all, first_rule(), 1, first_);
  }
}

void Simulator::plan(const State& state, const Strategy& rule, int batch, ListPlan& out) {
  const std::int64_t most = rule.attempts(batch);
  rule.allot(state, most, allotment_);
  out = ListPlan(state, allotment_, rule.priority(), most);
  work_ += std::ssize(state.pending) * (rule.is_batched() ? kBatchWork : 1);
}

// Returns true if the watchdog forbids a batch that may end so late.
bool Simulator::is_too_long(double end, const ErrorRealisation& errors) const {
  std::vector<std::int64_t> failures(all_.jobs.size(), 0);
  for (const std::uint32_t job : all_.pending) failures[job] = errors.known_attempts(job) - 1;
  return end > kMostBounds * lower_bound(all_.limits, all_.processors, failures);
}

// Runs all that is left, from a time at which the machine is empty. Returns when it ends.
double Simulator::run_batches(double start, ErrorRealisation& errors,
                              std::vector<Attempt>* attempts, Metrics& out) {
  const Strategy* rule = &first_rule();
  const ListPlan* next = rolling_ ? nullptr : &first_;
  ListResult result{.end = start};
  for (int batch = 1;; ++batch) {
    std::erase_if(pending_, [&](std::uint32_t job) { return errors.has_succeeded(job); });
    if (pending_.empty()) return result.end;
    if (next == nullptr) {
      State left = all_;
      left.pending = pending_;
      plan(left, *rule, batch, later_);
    }
    const ListPlan& now = next != nullptr ? *next : later_;
    next = nullptr;
    const double promised = 2 * now.bound();
    if (rule == course_.batches && course_.fall_back != nullptr &&
        is_too_long(result.end + promised, errors)) {
      rule = course_.fall_back;
      batch = 0;
      continue;
    }
    result = runner_.run(now, all_.processors, result.end, batch, errors, attempts);
    if (!all_.releases.empty()) {
      // Lemma 1 holds from the last release on, whatever p_min is then.
      out.guarantee =
          std::max(out.guarantee, std::ranges::max(all_.releases)) +
          2 * std::max(result.area / static_cast<double>(all_.processors), result.longest);
      continue;
    }
    const bool keeps = rule->is_batched() && !all_.errors.saves();  // its attempts are not longer
    out.guarantee += keeps ? promised : list_bound(result, all_.processors);
    if (rule->is_batched() && course_.fall_back == nullptr) out.batches = batch;
  }
}

Metrics Simulator::run(ErrorRealisation& errors, std::vector<Attempt>* attempts) {
  if (attempts != nullptr) attempts->clear();
  pending_.assign(all_.pending.begin(), all_.pending.end());
  Metrics out;
  if (errors.strikes()) out.lower_bound = bound_of(all_, *errors.strikes());
  const double empty = rolling_ ? rolling_->run(errors, attempts) : 0;
  out.guarantee = rolling_ ? rolling_->latest() : 0;
  out.makespan = run_batches(empty, errors, attempts, out);
  if (attempts != nullptr) number_attempts(*attempts, errors.failures());
  if (!errors.strikes()) {
    out.lower_bound = lower_bound(all_.limits, all_.processors, errors.failures(), all_.releases);
  }
  out.ratio = out.makespan / out.lower_bound;
  return out;
}

void draw_errors(const State& state, const StreamKey& key, ErrorRealisation& errors) {
  if (state.errors.counts_area()) {
    return errors.strike(state.jobs.size(), Strikes(key, state.errors, state.jobs.size()));
  }
  Stream stream(key);
  std::vector<std::int64_t> failures(state.jobs.size());
  draw_failed_attempts(stream, 1, state.exposures, failures);
  errors.fix(failures);
}

void fix_errors(const Instance& instance, ErrorRealisation& errors) {
  if (instance.adaptive) {
    errors.deal(instance.size(), *instance.adaptive);
  } else if (!instance.strikes.empty()) {
    errors.strike(instance.size(), Strikes(instance.errors(), instance.strikes));
  } else if (!instance.failures.empty()) {
    errors.fix(instance.failures);
  } else {
    errors.fix(std::vector<std::int64_t>(instance.size(), 0));
  }
}

ErrorRealisation errors_of(const PreparedInstance& prepared, const StreamKey& key) {
  ErrorRealisation out;
  if (prepared.instance->is_fixed()) {
    fix_errors(*prepared.instance, out);
  } else {
    draw_errors(prepared.state(prepared.all), key, out);
  }
  return out;
}

double list_bound(const ListResult& result, std::int64_t processors) {
  const auto machine = static_cast<double>(processors);
  const auto busy = static_cast<double>(result.least_busy);
  if (busy >= machine / 2) return 2 * result.area / machine;
  return (result.area + (machine - 2 * busy) * result.longest) / (machine - busy);
}

}  // namespace holdfast::moldable
