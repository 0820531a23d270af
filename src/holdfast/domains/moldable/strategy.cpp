#include "holdfast/domains/moldable/strategy.hpp"

#include <algorithm>

namespace holdfast::moldable {

double priority_key(Priority priority, double time, std::int64_t processors) {
  const auto width = static_cast<double>(processors);
  if (priority == Priority::lpt) return time;
  return priority == Priority::hpa ? width : width * time;
}

void LocalStrategy::allot(const State& state, std::int64_t, Allotment& out) const {
  out.clear();
  for (const std::uint32_t job : state.pending) {
    const bool has_work = state.limits[job].time > 0;
    out.runs.push_back(
        {has_work ? allocate(state.jobs[job], state.limits[job], state) : 1, kUnlimited});
    out.end_job();
  }
}

double allotment_bound(const State& state, std::int64_t attempts, const Allotment& allotment,
                       double inflation) {
  double longest = 0;
  double area = 0;
  for (std::size_t k = 0; k < state.pending.size(); ++k) {
    const Speedup& job = state.jobs[state.pending[k]];
    std::int64_t left = attempts;
    double chain = 0;
    for (const AttemptRun& run : allotment.of(k)) {
      const auto made = static_cast<double>(std::min(left, run.attempts));
      left -= std::min(left, run.attempts);
      chain += made * job.time(run.processors);
      area += made * job.area(run.processors);
    }
    longest = std::max(longest, chain);
  }
  return std::max(longest, inflation * area / static_cast<double>(state.processors));
}

}  // namespace holdfast::moldable
