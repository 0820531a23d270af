#include "holdfast/domains/cosched/strategy.hpp"

namespace holdfast::cosched {
namespace {

// The task that ends first among those that can spare a pair; kNoTask where there is none.
std::size_t shortest_giver(const Desk& desk) {
  std::size_t giver = kNoTask;
  for (const std::size_t i : desk.eligible()) {
    if (i == desk.faulty() || desk.processors(i) < 4) continue;
    if (giver == kNoTask || desk.finish(i) < desk.finish(giver)) giver = i;
  }
  return giver;
}

// Is there a count q that, moved from the giver, lets both end before the faulty task does now?
bool pays(const Desk& desk, std::size_t giver) {
  const std::size_t faulty = desk.faulty();
  for (std::int64_t q = 2; q <= desk.processors(giver) - 2; q += 2) {
    if (desk.value(faulty, desk.processors(faulty) + q) < desk.finish(faulty) &&
        desk.moved(giver, desk.processors(giver) - q) < desk.finish(faulty)) {
      return true;
    }
  }
  return false;
}

}  // namespace

void shortest_tasks_first(Desk& desk, ShortestTasksMode mode) {
  const std::size_t faulty = desk.faulty();
  bool improved = false;
  while (desk.free() >= 2) {
    const std::int64_t better = desk.better(faulty);
    improved = better != 0;
    if (!improved) break;
    desk.set(faulty, better);
  }
  if (mode == ShortestTasksMode::literal ? !improved : desk.free() >= 2) return;

  for (std::size_t giver = shortest_giver(desk); giver != kNoTask && pays(desk, giver);
       giver = shortest_giver(desk)) {
    // Two processors move even where the test needed more (decision 0024).
    desk.set(giver, desk.processors(giver) - 2);
    desk.set(faulty, desk.processors(faulty) + 2);
    if (desk.finish(giver) > desk.finish(faulty)) break;
  }
}

}  // namespace holdfast::cosched
