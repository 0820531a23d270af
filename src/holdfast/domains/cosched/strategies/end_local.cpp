#include "holdfast/domains/cosched/head_heap.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

namespace holdfast::cosched {

void end_local(RedistributionState& state, bool skip_stuck) {
  HeadHeap heads;
  for (const std::size_t i : state.eligible()) heads.add(state.finish(i), i);
  heads.build();
  while (state.free() >= 2 && !heads.empty()) {
    const std::size_t last = heads.top();
    if (state.better(last) != 0) {
      // Its finish may rise for now: the first pair alone need not outweigh the move, but the count found by better() does.
      state.set(last, state.processors(last) + 2);
      heads.replace_top(state.finish(last));
    } else if (skip_stuck) {
      heads.remove_top();
    } else {
      break;
    }
  }
}

}  // namespace holdfast::cosched
