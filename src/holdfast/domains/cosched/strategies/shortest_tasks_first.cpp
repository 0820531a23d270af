#include "holdfast/domains/cosched/strategy.hpp"

namespace holdfast::cosched {
namespace {

// The task that ends first among those that can spare a pair; kNoTask if there is none.
std::size_t shortest_giver(const RedistributionState& state) {
  std::size_t giver = kNoTask;
  for (const std::size_t i : state.eligible()) {
    if (i == state.faulty() || state.processors(i) < 4) continue;
    if (giver == kNoTask || state.finish(i) < state.finish(giver)) giver = i;
  }
  return giver;
}

// Returns true if moving some count q from the giver lets both end before the present end of the faulty task.
bool pays(const RedistributionState& state, std::size_t giver) {
  const std::size_t faulty = state.faulty();
  for (std::int64_t q = 2; q <= state.processors(giver) - 2; q += 2) {
    if (state.value(faulty, state.processors(faulty) + q) < state.finish(faulty) &&
        state.moved(giver, state.processors(giver) - q) < state.finish(faulty)) {
      return true;
    }
  }
  return false;
}

}  // namespace

void shortest_tasks_first(RedistributionState& state, ShortestTasksMode mode) {
  const std::size_t faulty = state.faulty();
  bool improved = false;
  while (state.free() >= 2) {
    const std::int64_t better = state.better(faulty);
    improved = better != 0;
    if (!improved) break;
    state.set(faulty, better);
  }
  if (mode == ShortestTasksMode::literal ? !improved : state.free() >= 2) return;

  for (std::size_t giver = shortest_giver(state); giver != kNoTask && pays(state, giver);
       giver = shortest_giver(state)) {
    // Two processors move even if the test needed more (README.md, readings).
    state.set(giver, state.processors(giver) - 2);
    state.set(faulty, state.processors(faulty) + 2);
    if (state.finish(giver) > state.finish(faulty)) break;
  }
}

}  // namespace holdfast::cosched
