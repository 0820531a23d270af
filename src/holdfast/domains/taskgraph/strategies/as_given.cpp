#include "holdfast/domains/taskgraph/strategies/as_given.hpp"

#include "holdfast/domains/taskgraph/strategies/makers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::taskgraph {

Result<AsGiven> AsGiven::make(const Instance& instance, QueueOrder order) {
  for (std::size_t task = 0; task < instance.size(); ++task) {
    if (!instance.given.empty() && !instance.given[task].allocations.empty()) continue;
    return fail(ErrorCode::bad_value, fmt::format("/tasks/{}/allocation", task),
                "found nothing, expected the processors that strategy as-given launches it on");
  }
  return AsGiven(instance, order);
}

std::int64_t AsGiven::allocate(const Arrival& arrival) const {
  const auto& allocations = instance_->given[arrival.task].allocations;
  const auto attempt = static_cast<std::size_t>(arrival.attempt - 1);
  return std::min(allocations[std::min(attempt, allocations.size() - 1)],
                  arrival.speedup.limit(instance_->processors));
}

Made make_as_given(const StrategySpec& spec, const Instance& instance) {
  HOLDFAST_TRY(made, AsGiven::make(instance, order_of(spec)));
  return std::make_unique<AsGiven>(std::move(made));
}

}  // namespace holdfast::taskgraph
