#include "holdfast/domains/moldable/plan.hpp"

#include "holdfast/domains/moldable/balance.hpp"

#include <algorithm>

namespace holdfast::moldable {

Plan make_plan(const Prepared& prepared, const Strategy& strategy, std::int64_t attempts) {
  const State state = prepared.state(prepared.all);
  Allotment allotment;
  strategy.allot(state, attempts, allotment);
  Plan out;
  for (std::size_t job = 0; job < state.jobs.size(); ++job) {
    auto& allocations = out.allocations.emplace_back();
    auto& durations = out.durations.emplace_back();
    std::int64_t left = attempts;
    for (const Stretch& stretch : allotment.of(job)) {
      const auto count = static_cast<std::size_t>(std::min(left, stretch.attempts));
      left -= static_cast<std::int64_t>(count);
      allocations.insert(allocations.end(), count, stretch.processors);
      durations.insert(durations.end(), count, state.jobs[job].time(stretch.processors));
    }
  }
  out.allotment_bound = allotment_bound(state, attempts, allotment);
  out.relaxed_bound = relaxed_bound(state, attempts);
  const std::vector<std::int64_t> failures(state.jobs.size(), attempts - 1);
  out.lower_bound = lower_bound(prepared.limits, state.processors, failures);
  return out;
}

}  // namespace holdfast::moldable
