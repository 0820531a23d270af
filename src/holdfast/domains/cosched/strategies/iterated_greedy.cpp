#include "holdfast/domains/cosched/head_heap.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace holdfast::cosched {
namespace {

// Algorithm 5 starts from one pair each. Its steps are known until the last finish has fallen to its value without any move:
// each task gets the first count with which it ends by then, and enough pairs exist for that. So the loop below starts there,
// and at the end of a task it has to hand out few pairs instead of all of them.
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
    // Most steps improve at once; a better count is searched for only if they do not.
    const double finish = state.value(last, next);
    if (!(finish < state.finish(last)) && state.better(last) == 0) break;
    state.set(last, next, finish);
    heads.replace_top(finish);
  }
}

}  // namespace holdfast::cosched
