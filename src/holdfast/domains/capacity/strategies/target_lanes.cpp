#include "holdfast/domains/capacity/strategies/target.hpp"

#include <algorithm>
#include <array>
#include <utility>

/// Plans that need not be made yet. A change of the capacity drops all plans, and a backlog of thousands of jobs is
/// placed again; nearly all of these plans are dropped by the next change before they come due. What decides the runs is
/// which jobs start before that change. So a job that cannot start now is only put on a lane, where that much is known of
/// its plan without making it:
///
/// - that it will wait on the machine (or in the pack) of its target, because even the latest start that it could get
///   there keeps its stretch within the limit. One lane per machine or pack. The limit only rises, so this stays true.
/// - under the author's ASAP policies, which compare all machines near the target: that it starts on none of them before
///   the horizon. One lane for all.
///
/// A search that does not know these plans finds starts that are too early or right, never too late: what it rejects is
/// rejected. Before it accepts, plans of the lane are made, one by one in their order, until it rejects or all are
/// known: Target::earliest(). Every plan is made as of its turn, with the machines in use then, so the runs are those of
/// making each at once. (Choosing the machine again when a plan is asked for would not do: S+ has risen by then, and
/// another machine may be within it.)
namespace holdfast::capacity {

std::int64_t Target::earliest(const Wish& wish, std::int64_t machine, std::int64_t now,
                              std::int64_t limit) {
  Lane& lane = lane_of(machine);
  for (;;) {
    const std::int64_t start = known_start(wish, machine, now, limit);
    if (start >= limit || start <= lane.wake() - wish.length) return start;
    if (!plan_until(lane, machine, now)) return start;
  }
}

bool Target::is_empty(std::int64_t machine, std::int64_t now) {
  return looks_empty(machine) && !plan_until(lane_of(machine), machine, now);
}

bool Target::looks_empty(std::int64_t machine) const {
  return plans_on_[static_cast<std::size_t>(machine)] == 0 && room_.running(machine).empty() &&
         (lane_width_ > 1 || lane_of(machine).empty());
}

std::int64_t Target::first_of(const Lane& lane) const {
  return (&lane - lanes_.data()) * lane_width_;
}

// Does the stretch stay within the limit if the task waits on the lane of this machine, whatever its start there?
bool Target::surely_within(double limit, std::size_t task, std::int64_t machine, std::int64_t now) {
  if (plain_left_ > 0) return false;
  Lane& lane = lane_of(machine);
  const std::int64_t quiet = skylines_[static_cast<std::size_t>(machine)].quiet_from();
  // No later than if the tasks on the lane ran one after the other, after all that is planned on the machine.
  if (stretch_at(task, std::max(now, quiet) + lane.length()) <= limit) return true;
  if (lane.has_no_tail()) return false;
  // Jobs of a pack go to whichever machine is best: each takes the first place that is wide enough for all jobs.
  const std::int64_t width = lane_width_ > 1 ? widest_ : 0;
  const std::int64_t low = first_of(lane);
  const std::int64_t until = std::min({low + lane_width_, used_, lane.least_used()});
  if (!lane.has_tail(until)) {
    Tail& tail = lane.new_tail(until);
    for (std::int64_t m = low; m < until; ++m) {
      skylines_[static_cast<std::size_t>(m)].add_to(tail, width);
    }
  }
  const std::int64_t latest = lane.latest_start(room_.task(task).cores, width);
  if (latest != kNever && stretch_at(task, std::max(now, latest)) <= limit) return true;
  lane.give_up_tail();
  return false;
}

// Where the limit is met narrowly, nearly every plan is asked for, and putting it off first only costs. So it is counted
// how many were asked for until the next change; where more than half, plans are made at once for a while.
void Target::judge_lanes() {
  constexpr std::int64_t kPlain = 30;  // re-allocations until lanes are tried again
  if (by_horizon_) return;
  if (plain_left_ > 0) {
    --plain_left_;
  } else if (2 * asked_for_ > put_off_) {
    plain_left_ = kPlain;
  }
  asked_for_ = put_off_ = 0;
}

void Target::put_off(std::size_t task, std::int64_t machine, std::int64_t now) {
  ++put_off_;
  Lane& lane = lane_of(machine);
  const Lane::Entry entry{task, used_, room_.task(task).cores, room_.next_length(task)};
  std::int64_t wake = horizon_;
  // While a backlog is placed, the lanes' wakes are found at its end.
  if (!by_horizon_) wake = is_filling_ ? now + 1 : start_on(lane, entry, entry.used, now);
  lane.push(entry);
  lane.set_wake(std::min(lane.wake(), wake));
  wake_ = std::min(wake_, wake);
  planned_.insert(task);
}

// Plans the first task of a lane and tells on which machine; -1 where there is none.
std::int64_t Target::plan_next(Lane& lane, std::int64_t now) {
  if (is_planning_ || lane.empty()) return -1;
  const Lane::Entry entry = lane.pop();
  ++asked_for_;
  const Wish wish = wish_of(entry.task);
  Choice choice;
  if (by_horizon_) {
    is_planning_ = true;  // what comes after it in the lane does not count
    const std::int64_t used = std::exchange(used_, entry.used);
    choice = smallest_start(wish, target_of(entry.task), {-1, kNever}, Ties::lowest, now);
    used_ = used;
    is_planning_ = false;
  } else {
    const std::int64_t low = first_of(lane);
    for (std::int64_t m = low; m < std::min(low + lane_width_, entry.used); ++m) {
      const std::int64_t start = known_start(wish, m, now, choice.start);
      if (start < choice.start) choice = {m, start};
    }
  }
  planned_.erase(entry.task);
  if (looks_empty(choice.machine)) --empty_;
  add_plan(entry.task, choice.machine, choice.start);
  return choice.machine;
}

// Makes plans until one is on that machine; false where none is.
bool Target::plan_until(Lane& lane, std::int64_t machine, std::int64_t now) {
  std::int64_t found = plan_next(lane, now);
  while (found >= 0 && found != machine) found = plan_next(lane, now);
  return found >= 0;
}

// No start of a job of that size on the machines of a lane is before; the lane's own tasks are not looked at.
std::int64_t Target::start_on(const Lane& lane, const Lane::Entry& size, std::int64_t used,
                              std::int64_t now) const {
  // Further than to the next change, most likely, nobody asks.
  std::int64_t start = horizon_ > now ? horizon_ : kNever;
  const std::int64_t low = first_of(lane);
  for (std::int64_t m = low; m < std::min(low + lane_width_, used); ++m) {
    const Skyline& skyline = skylines_[static_cast<std::size_t>(m)];
    start = skyline.earliest(now, size.cores, size.length, start);
  }
  return start;
}

// Makes the plans that could come due at this instant.
void Target::plan_due(std::int64_t now) {
  if (wake_ > now) return;
  wake_ = kNever;
  for (Lane& lane : lanes_) {
    if (lane.wake() <= now) plan_due(lane, now);
    wake_ = std::min(wake_, lane.wake());
  }
}

void Target::plan_due(Lane& lane, std::int64_t now) {
  if (by_horizon_) {
    while (plan_next(lane, now) >= 0) continue;
    return;
  }
  // The shortest task of each number of cores stands for all of them.
  struct Shortest {
    std::size_t at;
    std::int64_t length = kNever;
  };
  while (!lane.empty()) {
    const std::span<const Lane::Entry> entries = lane.entries();
    std::array<Shortest, StartBounds::kMostCores> shortest;
    std::int64_t used = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      Shortest& best = shortest[bounds_.place_of(entries[i].task).read_cores];
      if (entries[i].length < best.length) best = {i, entries[i].length};
      used = std::max(used, entries[i].used);
    }
    std::int64_t wake = kNever;
    for (std::size_t k = 0; k < shortest.size() && wake > now; ++k) {
      if (shortest[k].length == kNever) continue;
      const Lane::Entry size = {
          .task = 0, .used = 0, .cores = bounds_.least_cores(k), .length = shortest[k].length};
      wake = std::min(wake, start_on(lane, size, used, now));
      // It may start now, unless one before it is in the way.
      for (std::size_t left = shortest[k].at + 1; left > 0 && wake <= now; --left) {
        static_cast<void>(plan_next(lane, now));
        if (left > 1 && start_on(lane, size, used, now) > now) break;
      }
    }
    if (wake > now) return lane.set_wake(wake);
  }
}

}  // namespace holdfast::capacity
