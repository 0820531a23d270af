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
void take_back(Desk& desk, HeadHeap& heads) {
  std::vector<double> stays;
  stays.reserve(desk.eligible().size());
  double limit = -std::numeric_limits<double>::infinity();
  for (const std::size_t i : desk.eligible()) {
    stays.push_back(desk.stayed(i));
    limit = std::max(limit, stays.back());
  }
  std::size_t position = 0;
  for (const std::size_t i : desk.eligible()) {
    desk.shrink_within(i, limit, stays[position++]);
    heads.add(desk.finish(i), i);
  }
  heads.build();
}

}  // namespace

void iterated_greedy(Desk& desk) {
  HeadHeap heads;
  take_back(desk, heads);
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
