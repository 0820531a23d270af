#include "holdfast/domains/capacity/strategies/target.hpp"

#include <algorithm>
#include <utility>

/// Plans that need not be made yet. A change of the capacity drops all plans, and a backlog of thousands of jobs is
/// placed again; nearly all of these plans are dropped by the next change before they come due. What decides the runs is
/// which jobs start before that change. A job that cannot start before the horizon on any machine that it may go to is
/// put off: until the horizon it takes no core, and what can be proved without it (no start before a time) holds with
/// it. Its place is found, in its turn and as of its time, as soon as a decision might depend on it. Only for the author's
/// two ASAP policies: in his TargetStretch and in the text's rules a plan also moves or asks for a limit of stretch.
namespace holdfast::capacity {

// True where no machine near the target can start it before the horizon.
bool Target::can_wait(const Wish& wish, std::int64_t now) {
  const std::int64_t x = target_of(wish.task);
  const std::int64_t low = std::max<std::int64_t>(0, x - rules_.distance);
  const std::int64_t high = std::min(used_ - 1, x + rules_.distance);
  for (std::int64_t m = low; m <= high; ++m) {
    if (wish.bounds[m] >= horizon_) continue;
    // No further than the horizon: what lies behind it is not asked.
    const auto machine = static_cast<std::size_t>(m);
    const std::int64_t start = skylines_[machine].earliest(std::max(now, wish.bounds[m]),
                                                           wish.cores, wish.length, horizon_);
    bounds_.raise(machine, wish.place, start);
    if (start < horizon_) return false;
  }
  return true;
}

// A choice made while tasks are deferred stands where they could not have changed it: it ends by the horizon, before
// which they take no core, and every other start is no earlier with them than without. But a machine may be accepted
// because it is empty, which a deferred task may deny.
bool Target::is_settled(const Wish& wish, Choice choice) const {
  return choice.start <= horizon_ - wish.length && !is_empty(choice.machine);
}

void Target::allocate(std::size_t task, std::int64_t now) {
  if (now + 1 >= horizon_ || room_.alive_count() == 0) return place(task, choose(task, now), now);
  const Wish wish = wish_of(task);
  if (can_wait(wish, now)) {
    deferred_.push_back({task, used_});
    planned_.insert(task);
    return;
  }
  Choice choice = choose(task, now);
  if (!deferred_.empty() && !is_settled(wish, choice)) {
    settle(now);
    choice = choose(task, now);
  }
  place(task, choice, now);
}

// Finds the places of the deferred tasks, in their order, with what was known when their turn came.
void Target::settle(std::int64_t now) {
  const std::vector<Deferred> waiting = std::exchange(deferred_, {});
  const std::int64_t used = used_;
  for (const Deferred& deferred : waiting) {
    used_ = deferred.used;
    const Choice choice = choose(deferred.task, now);
    planned_.erase(deferred.task);
    place(deferred.task, choice, now);
  }
  used_ = used;
}

}  // namespace holdfast::capacity
