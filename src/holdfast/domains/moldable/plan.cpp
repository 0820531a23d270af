#include "holdfast/domains/moldable/plan.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/moldable/balance.hpp"

#include <algorithm>

namespace holdfast::moldable {

std::vector<double> batch_probabilities(std::span<const double> exposures) {
  std::vector<double> out;
  double before = 0;
  for (int batches = 1; batches <= 40 && before < 1 - 1e-12; ++batches) {
    const double attempts = elementary::exp2(batches) - 1;
    double log_all = 0;
    for (const double exposure : exposures) {
      const double q = -elementary::expm1(-exposure);
      if (q > 0) log_all += elementary::log1p(-elementary::exp(attempts * elementary::log(q)));
    }
    const double at_most = elementary::exp(log_all);
    out.push_back(at_most - before);
    before = at_most;
  }
  return out;
}

Plan make_plan(const PreparedInstance& prepared, const Strategy& strategy, std::int64_t attempts) {
  const State state = prepared.state(prepared.all);
  Allotment allotment;
  strategy.allot(state, attempts, allotment);
  Plan out;
  for (std::size_t job = 0; job < state.jobs.size(); ++job) {
    auto& allocations = out.allocations.emplace_back();
    auto& durations = out.durations.emplace_back();
    std::int64_t left = attempts;
    for (const AttemptRun& run : allotment.of(job)) {
      const auto count = static_cast<std::size_t>(std::min(left, run.attempts));
      left -= static_cast<std::int64_t>(count);
      allocations.insert(allocations.end(), count, run.processors);
      durations.insert(durations.end(), count, state.jobs[job].time(run.processors));
    }
  }
  out.allotment_bound = allotment_bound(state, attempts, allotment);
  // Bounds hold for any number of processors, also for those that no strategy takes.
  const std::vector<Limits> all = limits(*prepared.instance);
  State any = state;
  any.limits = all;
  out.relaxed_bound = relaxed_bound(any, attempts);
  const std::vector<std::int64_t> failures(state.jobs.size(), attempts - 1);
  out.lower_bound = lower_bound(all, state.processors, failures, state.releases);
  return out;
}

}  // namespace holdfast::moldable
