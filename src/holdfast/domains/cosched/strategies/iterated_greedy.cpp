#include "holdfast/domains/cosched/head_heap.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

namespace holdfast::cosched {

void iterated_greedy(Desk& desk) {
  HeadHeap heads;
  for (const std::size_t i : desk.eligible()) {
    if (desk.processors(i) != 2) desk.set(i, 2);
    heads.add(desk.finish(i), i);
  }
  heads.build();
  while (desk.free() >= 2 && !heads.empty()) {
    const std::size_t last = heads.top();
    const std::int64_t next = desk.processors(last) + 2;
    // Most steps improve at once; only where they do not is a better count searched for.
    const double finish = desk.value(last, next);
    if (!(finish < desk.finish(last)) && desk.better(last) == 0) break;
    desk.set(last, next, finish);
    heads.replace_top(finish);
  }
}

}  // namespace holdfast::cosched
