#include "holdfast/domains/cosched/head_heap.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

namespace holdfast::cosched {

void end_local(Desk& desk, bool skip_stuck) {
  HeadHeap heads;
  for (const std::size_t i : desk.eligible()) heads.add(desk.finish(i), i);
  heads.build();
  while (desk.free() >= 2 && !heads.empty()) {
    const std::size_t last = heads.top();
    if (desk.better(last) != 0) {
      // Its finish may rise for a moment: the first pair need not pay for the move, the one found by better() does.
      desk.set(last, desk.processors(last) + 2);
      heads.replace_top(desk.finish(last));
    } else if (skip_stuck) {
      heads.remove_top();
    } else {
      break;
    }
  }
}

}  // namespace holdfast::cosched
