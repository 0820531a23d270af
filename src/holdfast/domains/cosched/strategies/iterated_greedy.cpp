#include "holdfast/domains/cosched/head_heap.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace holdfast::cosched {
namespace {

// Algorithm 5 starts from one pair each. Until the last finish has come down to what it is when all stay as they are,
// its steps are known: each task gets the first count that ends by then, and enough pairs exist for that. So that is
// where the loop below starts; per end of a task few pairs are left to hand out instead of all of them.
void take_back(RedistributionState& state, HeadHeap& heads) {
  std::vector<double> stays;
  stays.reserve(state.eligible().size());
  double limit = -std::numeric_limits<double>::infinity();
  for (const std::size_t i : state.eligible()) {
    stays.push_back(state.stayed(i));
    limit = std::max(limit, stays.back());
  }
  std::size_t position = 0;
  for (const std::size_t i : state.eligible()) {
    state.shrink_within(i, limit, stays[position++]);
    heads.add(state.finish(i), i);
  }
  heads.build();
}

}  // namespace

void iterated_greedy(RedistributionState& state) {
  HeadHeap heads;
  take_back(state, heads);
  while (state.free() >= 2 && !heads.empty()) {
    const std::size_t last = heads.top();
    const std::int64_t next = state.processors(last) + 2;
    // Most steps improve at once; only where they do not is a better count searched for.
    const double finish = state.value(last, next);
    if (!(finish < state.finish(last)) && state.better(last) == 0) break;
    state.set(last, next, finish);
    heads.replace_top(finish);
  }
}

}  // namespace holdfast::cosched
