#include "holdfast/domains/capacity/strategies/target.hpp"

#include <algorithm>

/// Plans that need not be made yet. A change of the capacity drops all plans, and a backlog of thousands of jobs is
/// placed again; nearly all of these plans are dropped by the next change before they come due. What decides the runs is
/// which jobs start before that change. So a job that cannot start now is only put in a queue or on a lane, where that much
/// is known of its plan without making it:
///
/// - that it will wait on the machine (or in the pack) of its target, because even the latest start that it could get
///   there keeps its stretch within the limit. One queue per machine, or one lane per pack. The limit only rises, so this
///   stays true.
/// - under the author's ASAP policies, which compare all machines near the target: that it starts on none of them before
///   the horizon. One lane for all.
///
/// A search that does not know these plans finds starts that are too early or right, never too late: what it rejects is
/// rejected. What it accepts is right if no task before it there starts on that machine before its end, for a task
/// takes nothing from one that has ended when it starts, nor from one elsewhere. So before it accepts, exactly those plans
/// are made that start there before that end: Target::settle(). Each of them must not collide with the earlier tasks
/// in turn, so these are settled until its own end first; they are fewer each time. Later tasks that were planned in the
/// meantime do not disturb a plan made late: all end by when the task was known not to start before, and where it could not
/// start then it cannot now, with fewer cores free. All is as of the task's turn, with the machines in use then: the runs are
/// those of making each plan at once. (Choosing the machine again when a plan is asked for would not do: S+ has risen by
/// then, and another machine may be within it.)
namespace holdfast::capacity {

std::int64_t Target::earliest(const Wish& wish, std::int64_t machine, std::int64_t now,
                              std::int64_t limit) {
  for (;;) {
    const std::int64_t start = known_start(wish, machine, now, limit);
    if (start >= limit || is_settled({machine, start, wish.length, wish.cores}, now)) return start;
  }
}

// Have all tasks that were put off and start on the slot's machine before its end got their plans? If not, they get them
// now, and what was found without them has to be found again.
bool Target::is_settled(const Slot& slot, std::int64_t now) {
  if (has_queues_) return is_settled(slot.machine, queue_of(slot.machine).row().size(), slot, now);
  Lane& lane = lane_of(slot.machine);
  return is_settled(lane, lane.row().size(), slot, now);
}

// Where plans have to be made until that time, they are made a bit further at once, so that the tasks are gone through a
// few times only.
std::int64_t Target::look_ahead(std::int64_t time, std::int64_t now) const {
  std::int64_t ahead = std::max<std::int64_t>(1, horizon_ - last_change_);
  while (ahead < time - now) ahead += ahead / 2 + 1;
  return now + ahead;
}

bool Target::looks_empty(std::int64_t machine) const {
  return plans_on_[static_cast<std::size_t>(machine)] == 0 && room_.running(machine).empty();
}

// Does the task start by then if it waits for this machine or its pack, wherever the others that wait go?
bool Target::surely_starts_by(std::int64_t latest, const Wish& wish, std::int64_t machine,
                              std::int64_t now) {
  if (has_queues_) return surely_starts_on(machine, latest - kRounding, wish.cores, now);
  return surely_starts_in_pack(machine, latest - kRounding, now);
}

void Target::put_off(const Wish& wish, std::int64_t machine, std::int64_t now) {
  if (by_horizon_) return put_on_lane(wish, machine, horizon_);
  // While a backlog is placed, it is found at its end who starts when.
  std::int64_t wake = now + 1;
  if (!is_filling_) {
    // Further than to the next change, most likely, nobody asks.
    const std::int64_t limit = horizon_ > now ? horizon_ : kNever;
    wake = has_queues_ ? known_start(wish, machine, now, limit)
                       : start_in_pack(lane_of(machine), wish, now, limit);
  }
  has_queues_ ? put_on_queue(wish, machine, wake) : put_on_lane(wish, machine, wake);
}

// Those plans join the others that start before the horizon, which has moved.
void Target::take_later() {
  const auto beyond = std::partition(later_.begin(), later_.end(),
                                     [&](const Plan& plan) { return plan.start >= horizon_; });
  for (auto plan = beyond; plan != later_.end(); ++plan) note_soon(*plan);
  later_.erase(beyond, later_.end());
  later_wake_ = kNever;
  for (const Plan& plan : later_) later_wake_ = std::min(later_wake_, plan.start);
}

// Makes the plans that could come due at this instant.
void Target::plan_due(std::int64_t now) {
  if (std::min(wake_, later_wake_) > now) return;
  if (horizon_ <= now + 1) horizon_ = now + std::max<std::int64_t>(2, now - last_change_);
  if (later_wake_ <= now) take_later();
  if (wake_ > now) return;
  wake_ = kNever;
  for (std::size_t m = 0; m < queues_.size(); ++m) {
    Queue& queue = queues_[m];
    if (queue.row().wake() <= now) {
      settle(static_cast<std::int64_t>(m), queue.row().size(), horizon_, nullptr, now);
    }
    wake_ = std::min(wake_, queue.row().wake());
  }
  for (Lane& lane : lanes_) {
    if (lane.row().wake() <= now)
      settle(lane, lane.row().size(), horizon_, Lane::kAll, nullptr, now);
    wake_ = std::min(wake_, lane.row().wake());
  }
}

}  // namespace holdfast::capacity
