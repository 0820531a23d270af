#include "holdfast/domains/taskgraph/strategies/optimal.hpp"

#include "holdfast/domains/taskgraph/optimum.hpp"
#include "holdfast/domains/taskgraph/strategies/makers.hpp"

#include <algorithm>

namespace holdfast::taskgraph {

Result<Optimal> Optimal::make(const Instance& instance) {
  HOLDFAST_TRY(best, optimum(instance, instance.failures));
  Optimal out;
  out.attempts_.resize(instance.size());
  for (const Attempt& attempt : best.schedule) out.attempts_[attempt.task].push_back(attempt);
  if (instance.is_fixed() && instance.strikes.empty()) out.proven_ratio_ = 1;
  return out;
}

const Attempt& Optimal::planned(const Arrival& arrival) const {
  const Schedule& attempts = attempts_[arrival.task];
  return attempts[std::min(static_cast<std::size_t>(arrival.attempt), attempts.size()) - 1];
}

std::int64_t Optimal::allocate(const Arrival& arrival) const {
  return planned(arrival).processors;
}

double Optimal::earliest_start(const Arrival& arrival) const {
  return planned(arrival).start;
}

Made make_optimal(const StrategySpec&, const Instance& instance) {
  HOLDFAST_TRY(made, Optimal::make(instance));
  return std::make_unique<Optimal>(std::move(made));
}

}  // namespace holdfast::taskgraph
