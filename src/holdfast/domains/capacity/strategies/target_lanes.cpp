#include "holdfast/domains/capacity/strategies/target.hpp"

#include <algorithm>
#include <functional>
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
/// rejected. What it accepts is right if no task before it on the lane starts on that machine before its end, for a task
/// takes nothing from one that has ended when it starts, nor from one elsewhere. So before it accepts, exactly those plans
/// are made that start there before that end: Target::settle(). Each of them must not collide with the lane's earlier tasks
/// in turn, so these are settled until its own end first; they are fewer each time. A plan made late begins its search on
/// each machine where the task was known not to start before, so later tasks that were planned in the meantime, which all
/// end by then, do not disturb it. All is as of the task's turn, with the machines in use then: the runs are those of
/// making each plan at once. (Choosing the machine again when a plan is asked for would not do: S+ has risen by then, and
/// another machine may be within it.)
namespace holdfast::capacity {

std::int64_t Target::earliest(const Wish& wish, std::int64_t machine, std::int64_t now,
                              std::int64_t limit) {
  Lane& lane = lane_of(machine);
  for (;;) {
    const std::int64_t start = known_start(wish, machine, now, limit);
    if (start >= limit) return start;
    if (is_settled(lane, lane.size(), {machine, start, wish.length, wish.cores}, now)) return start;
  }
}

bool Target::looks_empty(std::int64_t machine) const {
  return plans_on_[static_cast<std::size_t>(machine)] == 0 && room_.running(machine).empty() &&
         (lane_width_ > 1 || lane_of(machine).empty());
}

// Does the task start by then if it waits on the lane of this machine, wherever the others on the lane go?
bool Target::surely_starts_by(std::int64_t latest, const Wish& wish, std::int64_t machine,
                              std::int64_t now) {
  const std::int64_t limit = latest - 2;  // the stretch is within its own limit, rounding or not
  Lane& lane = lane_of(machine);
  if (lane.gave_up() || now > limit) return false;
  const Skyline& skyline = skylines_[static_cast<std::size_t>(machine)];
  // No later than if the tasks on the lane ran one after the other, after all that is planned on the machine.
  if (std::max(now, skyline.quiet_from()) <= limit - lane.length()) return true;
  if (lane_width_ == 1 && fits_by_area(lane, limit, wish.cores, now)) return true;
  // Jobs of a pack go to whichever machine is best: each takes the first place that is wide enough for all jobs.
  const std::int64_t width = lane_width_ > 1 ? widest_ : 0;
  const std::int64_t low = lane.first_machine();
  const std::int64_t until = std::min({low + lane_width_, used_, lane.least_used()});
  if (!lane.has_tail(until)) {
    Tail& tail = lane.new_tail(until);
    for (std::int64_t m = low; m < until; ++m) {
      skylines_[static_cast<std::size_t>(m)].add_to(tail, width);
    }
  }
  if (std::max(now, lane.latest_start(wish.cores, width)) <= limit) return true;
  lane.give_up();
  return false;
}

// The tasks of the lane of one machine, each starting as soon as enough cores are free for good, one after another: as
// long as one waits, fewer cores are idle than it asks for. So the work before it bounds its wait.
bool Target::fits_by_area(Lane& lane, std::int64_t limit, std::int64_t cores,
                          std::int64_t now) const {
  constexpr std::int64_t kMostWait = std::int64_t{1} << 31U;
  if (!lane.has_base()) {
    const auto m = static_cast<std::size_t>(lane.first_machine());
    lane.set_base(skylines_[m].taken_for_good(now, room_.instance().cores));
  }
  const std::int64_t busy = room_.instance().cores - std::max(lane.widest(), cores) + 1;
  return lane.base() + lane.area() <= std::min(kMostWait, limit - now) * busy;
}

// What most of a backlog do: they wait on the lane of their target, and nothing has to be searched to tell.
bool Target::surely_waits(const Wish& wish, std::int64_t target, std::int64_t now) {
  if (by_horizon_) return openings_.excludes(wish.place.read_cores, target, wish.length);
  return room_.free(target) < wish.cores &&
         surely_starts_by(latest_start(wish, largest_stretch_), wish, target, now);
}

void Target::put_off(const Wish& wish, std::int64_t machine, std::int64_t now) {
  Lane& lane = lane_of(machine);
  const Lane::Entry entry{
      .bounds = wish.bounds,
      .length = wish.length,
      .task = wish.task,
      .cores = wish.cores,
      .used = static_cast<std::int32_t>(used_),
      .from = static_cast<std::int32_t>(machine),
  };
  std::int64_t wake = horizon_;
  // While a backlog is placed, the lanes' wakes are found at its end.
  if (!by_horizon_) wake = is_filling_ ? now + 1 : start_on(lane, wish, used_, now);
  lane.push(entry, wake);
  wake_ = std::min(wake_, wake);
}

// Where the task goes as far as the plans go that have been made; no machine where it does not start before the limit.
Target::Choice Target::choose_on_lane(Lane& lane, std::size_t at, std::int64_t limit,
                                      std::int64_t now) {
  const Lane::Entry& entry = lane.entry(at);
  const Wish& wish = wishes_[entry.task];
  Choice choice{-1, limit};
  if (by_horizon_) {
    const std::int64_t used = std::exchange(used_, std::int64_t{entry.used});
    choice = smallest_known_start(wish, entry.from, choice, Ties::lowest, now, {&lane, at});
    used_ = used;
  } else {
    const std::int64_t not_before = lane.settled_at(at);
    const auto [low, until] = machines_of(lane, entry);
    for (std::int64_t m = low; m < until; ++m) {
      const std::int64_t start = known_start(wish, m, now, choice.start, not_before);
      if (start < choice.start) choice = {m, start};
    }
  }
  return choice;
}

void Target::plan(Lane& lane, std::size_t at, Choice choice) {
  const std::size_t task = lane.entry(at).task;
  lane.take(at);
  if (looks_empty(choice.machine)) --empty_;
  keep_plan(task, choice.machine, choice.start);
}

// All tasks before `until` on the lane of one machine get their plans, in order: no other task has to be asked for.
void Target::plan_until(Lane& lane, std::size_t until, std::int64_t now) {
  const std::int64_t machine = lane.first_machine();
  for (std::size_t at = lane.first(); at < until; ++at) {
    const Lane::Entry& entry = lane.entry(at);
    if (entry.is_planned) continue;
    const Wish& wish = wishes_[entry.task];
    const std::int64_t start = known_start(wish, machine, now, kNever, lane.settled_at(at));
    lane.take(at);
    keep_plan(wish.task, machine, start);
  }
  lane.settled(until, kNever);
}

// Will a task of the lane go to this machine? If none did, all that reach it would start elsewhere no later than they
// could here, and do their first seconds within as many seconds from then: where their machines have not the cores for so
// much work, one comes here.
Target::Prospect Target::prospect_of(std::int64_t machine, std::int64_t now) const {
  const Lane& lane = lane_of(machine);
  const std::int64_t work =
      lane.work_near(machine, by_horizon_ ? rules_.distance : lane_width_ - 1);
  if (work == 0 || lane.most_used() <= machine) return Prospect::none;
  const std::int64_t machines = std::min(lane_width_, room_.alive_count());
  const std::int64_t latest =
      std::max(now, skylines_[static_cast<std::size_t>(machine)].free_for_good(widest_));
  const std::int64_t most = machines * room_.instance().cores * (latest - now + Lane::kClip);
  return work > most && lane.least_used() > machine ? Prospect::sure : Prospect::open;
}

// The machines that a task may go to, from the first to one past the last.
std::pair<std::int64_t, std::int64_t> Target::machines_of(const Lane& lane,
                                                          const Lane::Entry& entry) const {
  if (by_horizon_) {
    return {std::max<std::int64_t>(0, entry.from - rules_.distance),
            std::min<std::int64_t>(entry.used, entry.from + rules_.distance + 1)};
  }
  const std::int64_t low = lane.first_machine();
  return {low, std::min<std::int64_t>(low + lane_width_, entry.used)};
}

// False: surely not. It tells most tasks apart without a search.
bool Target::may_start_before(std::int64_t time, std::int64_t machine, const Lane& lane,
                              const Lane::Entry& entry) const {
  const auto [low, until] = machines_of(lane, entry);
  if (machine != Lane::kAll) {
    return machine >= low && machine < until && bounds_.bound(entry.bounds, machine) < time;
  }
  for (std::int64_t block = low; block < until; block += StartBounds::kAtOnce) {
    if (bounds_.before(entry.bounds, block, until, time) != 0) return true;
  }
  return false;
}

// Plans the first task of a lane.
void Target::plan_next(Lane& lane, std::int64_t now) {
  if (lane.empty()) return;
  plan(lane, lane.first(), choose_on_lane(lane, lane.first(), kNever, now));
}

// Does the task start on the machine before the time, as far as the plans go that have been made?
bool Target::would_start_before(std::int64_t time, std::int64_t machine, const Lane& lane,
                                std::size_t at, std::int64_t now) {
  const Lane::Entry& entry = lane.entry(at);
  if (!may_start_before(time, machine, lane, entry)) return false;
  if (machine == Lane::kAll) return true;
  const std::int64_t not_before = lane.settled_at(at, machine);
  return known_start(wishes_[entry.task], machine, now, time, not_before) < time;
}

// Makes the plans of those tasks before `until` that start on the machine before the time, but no more once one of them
// takes the slot that is asked for. Tells whether it made any.
bool Target::settle(Lane& lane, std::size_t until, std::int64_t time, std::int64_t machine,
                    const Slot* asked, std::int64_t now) {
  bool has_planned = false;
  for (std::size_t at = lane.first_unsettled(time, machine); at < until; ++at) {
    const Lane::Entry& entry = lane.entry(at);
    while (!entry.is_planned && would_start_before(time, machine, lane, at, now)) {
      const Choice choice = choose_on_lane(lane, at, time, now);
      if (choice.machine < 0) break;
      lane.settled(at, time, machine);
      const Slot slot{choice.machine, choice.start, entry.length, entry.cores};
      if (is_settled(lane, at, slot, now)) plan(lane, at, choice);
      has_planned = true;
      if (asked != nullptr && !is_free(asked->machine, asked->start, asked->length, asked->cores)) {
        return true;
      }
    }
  }
  lane.settled(until, time, machine);
  return has_planned;
}

// Have all tasks before `at` that start on the slot's machine before its end got their plans? If not, they get them now, as
// far as they leave the slot free, and what was found without them has to be found again.
bool Target::is_settled(Lane& lane, std::size_t at, const Slot& slot, std::int64_t now) {
  // Those on a lane of one machine or pack are asked for as one.
  const std::int64_t on = by_horizon_ ? slot.machine : Lane::kAll;
  const std::int64_t time = slot.start + slot.length;
  if (lane.settled_before(at, on) >= time) return true;
  // A bit further at once, so that the tasks are gone through a few times only; where the lane is that of one machine or
  // pack and it would be far, to the end.
  const std::int64_t step = std::max<std::int64_t>(1, horizon_ - last_change_);
  constexpr std::int64_t kMostSteps = 3;
  if (!by_horizon_ && time - now > kMostSteps * step) {
    if (lane_width_ > 1) return !settle(lane, at, kNever, on, nullptr, now);
    plan_until(lane, at, now);
    return false;
  }
  std::int64_t ahead = step;
  while (ahead < time - now) ahead += ahead / 2 + 1;
  return !settle(lane, at, now + ahead, on, &slot, now);
}

// No start of a job of that size on the machines of a lane is before; the lane's own tasks are not looked at.
std::int64_t Target::start_on(const Lane& lane, const Wish& wish, std::int64_t used,
                              std::int64_t now) const {
  // Further than to the next change, most likely, nobody asks.
  std::int64_t start = horizon_ > now ? horizon_ : kNever;
  const std::int64_t low = lane.first_machine();
  for (std::int64_t m = low; m < std::min(low + lane_width_, used); ++m) {
    const Skyline& skyline = skylines_[static_cast<std::size_t>(m)];
    start = skyline.earliest(now, wish.cores, wish.length, start);
  }
  return start;
}

// Those plans join the others that start before the horizon, which has moved.
void Target::take_later() {
  const auto beyond = std::partition(later_.begin(), later_.end(),
                                     [&](const Plan& plan) { return plan.start >= horizon_; });
  for (auto plan = beyond; plan != later_.end(); ++plan) {
    plans_.push_back(*plan);
    std::push_heap(plans_.begin(), plans_.end(), std::greater<>());
  }
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
  for (Lane& lane : lanes_) {
    if (lane.wake() <= now) settle(lane, lane.size(), horizon_, Lane::kAll, nullptr, now);
    wake_ = std::min(wake_, lane.wake());
  }
}

}  // namespace holdfast::capacity
