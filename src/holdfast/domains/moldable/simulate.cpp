#include "holdfast/domains/moldable/simulate.hpp"

#include "holdfast/models/resilience/silent_errors.hpp"

#include <algorithm>
#include <numeric>

namespace holdfast::moldable {
namespace {

// Numbers the attempts of each job. They are in order of start, so those of one job are in sequence.
void number_attempts(std::vector<Attempt>& attempts, const std::vector<std::int64_t>& failures) {
  std::vector<std::int64_t> made(failures.size(), 0);
  for (Attempt& attempt : attempts) {
    attempt.number = ++made[attempt.job];
    attempt.has_failed = attempt.number <= failures[attempt.job];
  }
}

}  // namespace

PreparedInstance::PreparedInstance(const Instance& from)
    : instance{&from},
      limits{moldable::limits(from)},
      exposures{failure_exposures(from)},
      all(from.size()) {
  std::iota(all.begin(), all.end(), 0U);
}

Simulator::Simulator(const PreparedInstance& prepared, const Strategy& strategy)
    : prepared_{&prepared}, strategy_{&strategy} {
  const State state = prepared.state(prepared.all);
  const std::int64_t attempts = strategy.attempts(1);
  strategy.allot(state, attempts, first_allotment_);
  first_ = ListPlan(state, first_allotment_, strategy.priority(), attempts);
}

Metrics Simulator::run(ErrorRealisation& errors, std::vector<Attempt>* attempts) {
  const std::int64_t processors = prepared_->instance->processors;
  if (attempts != nullptr) attempts->clear();
  pending_ = prepared_->all;
  Metrics out;
  int batch = 1;
  ListResult result = runner_.run(first_, processors, 0, batch, errors, attempts);
  double promised = first_.bound();
  for (;;) {
    std::erase_if(pending_, [&](std::uint32_t job) { return errors.has_succeeded(job); });
    if (pending_.empty()) break;
    ++batch;
    const State state = prepared_->state(pending_);
    const std::int64_t most = strategy_->attempts(batch);
    strategy_->allot(state, most, allotment_);
    const ListPlan plan(state, allotment_, strategy_->priority(), most);
    result = runner_.run(plan, processors, result.end, batch, errors, attempts);
    promised += plan.bound();
  }
  if (attempts != nullptr) number_attempts(*attempts, errors.failures());
  out.makespan = result.end;
  out.lower_bound = lower_bound(prepared_->limits, processors, errors.failures());
  out.ratio = out.makespan / out.lower_bound;
  if (strategy_->is_batched()) out.batches = batch;
  out.guarantee = strategy_->is_batched() ? 2 * promised : list_bound(result, processors);
  return out;
}

void draw_failures(const PreparedInstance& prepared, Stream& stream,
                   std::vector<std::int64_t>& failures) {
  failures.resize(prepared.exposures.size());
  draw_failed_attempts(stream, 1, prepared.exposures, failures);
}

void fix_errors(const Instance& instance, ErrorRealisation& errors) {
  if (instance.adaptive) {
    errors.deal(instance.size(), *instance.adaptive);
  } else if (!instance.failures.empty()) {
    errors.fix(instance.failures);
  } else {
    errors.fix(std::vector<std::int64_t>(instance.size(), 0));
  }
}

double list_bound(const ListResult& result, std::int64_t processors) {
  const auto machine = static_cast<double>(processors);
  const auto busy = static_cast<double>(result.least_busy);
  if (busy >= machine / 2) return 2 * result.area / machine;
  return (result.area + (machine - 2 * busy) * result.longest) / (machine - busy);
}

}  // namespace holdfast::moldable
