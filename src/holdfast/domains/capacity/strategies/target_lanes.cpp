#include "holdfast/domains/capacity/strategies/target.hpp"

#include <algorithm>
#include <utility>

/// Plans that need not be made yet, of tasks that may go to one of several machines.
namespace holdfast::capacity {

// Does the task start by then if it waits on the lane of this pack, wherever the others on the lane go?
bool Target::surely_starts_in_pack(std::int64_t machine, std::int64_t time, std::int64_t now) {
  Lane& lane = lane_of(machine);
  if (lane.gave_up() || now > time) return false;
  const AvailabilityProfile& availability = availability_[static_cast<std::size_t>(machine)];
  // No later than if the tasks on the lane ran one after the other, after all that is planned on the machine.
  if (std::max(now, availability.quiet_from()) <= time - lane.length()) return true;
  // Jobs go to whichever machine is best: each takes the first place that is wide enough for all jobs.
  const std::int64_t low = lane.first_machine();
  const std::int64_t until = std::min({low + lane_width_, used_, lane.least_used()});
  if (!lane.has_tail(until)) {
    Tail& tail = lane.new_tail(until);
    for (std::int64_t m = low; m < until; ++m) {
      availability_[static_cast<std::size_t>(m)].add_to(tail, widest_);
    }
  }
  if (std::max(now, lane.latest_start(widest_)) <= time) return true;
  lane.give_up();
  return false;
}

// What most of a backlog do under the author's ASAP policies: they start nowhere near before the horizon, and nothing has to
// be searched to tell.
void Target::lane_backlog(std::int64_t now) {
  Lane& lane = lanes_.front();
  const Scale in_use = scale();
  for (const std::size_t task : backlog_) {
    const Wish& wish = wishes_[task];
    const std::int64_t target = in_use.target_of(wish);
    if (openings_.excludes(wish.place.read_cores, target, wish.length)) {
      lane.push(entry_of(wish, target), horizon_);
    } else {
      place(wish, (this->*search_)(wish, now, true), now);
    }
  }
  wake_ = std::min(wake_, lane.row().wake());
}

// Where the task goes as far as the plans go that have been made, if it starts sooner than in `best`.
Target::Choice Target::choose_on_lane(Lane& lane, std::size_t at, Choice best, std::int64_t now) {
  const Lane::Entry& entry = lane.row()[at];
  const Wish& wish = wishes_[entry.task];
  if (by_horizon_) {
    const std::int64_t used = std::exchange(used_, std::int64_t{entry.used});
    best = smallest_known_start(wish, entry.from, best, Ties::lowest, now, {&lane, at});
    used_ = used;
    return best;
  }
  const std::int64_t not_before = lane.settled_at(at);
  const auto [low, until] = machines_of(lane, entry);
  for (std::int64_t m = low; m < until; ++m) {
    const std::int64_t start = known_start(wish, m, now, best.start, not_before);
    if (start < best.start) best = {m, start};
  }
  return best;
}

void Target::plan(Lane& lane, std::size_t at, Choice choice) {
  const std::size_t task = lane.row()[at].task;
  lane.take(at);
  if (looks_empty(choice.machine)) --empty_;
  keep_plan(task, choice.machine, choice.start);
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
      std::max(now, availability_[static_cast<std::size_t>(machine)].free_for_good(widest_));
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
  plan(lane, lane.row().first(), choose_on_lane(lane, lane.row().first(), {-1, kNever}, now));
}

// When the task starts on the machine, as far as the plans go that have been made, if that is before the time; on no
// machine where it is not. Of all machines it is told later.
Target::Choice Target::start_before(std::int64_t time, std::int64_t machine, const Lane& lane,
                                    std::size_t at, std::int64_t now) {
  const Wish& wish = wishes_[lane.row()[at].task];
  const std::int64_t not_before = lane.settled_at(at, machine);
  const std::int64_t start = known_start(wish, machine, now, time, not_before);
  return {start < time ? machine : -1, start};
}

// Makes the plans of those tasks before `until` that start on the machine before the time, but no more once one of them
// takes the slot that is asked for. Tells whether it made any.
bool Target::settle(Lane& lane, std::size_t until, std::int64_t time, std::int64_t machine,
                    const Slot* asked, std::int64_t now) {
  bool has_planned = false;
  for (std::size_t at = lane.first_unsettled(time, machine); at < until; ++at) {
    const Lane::Entry& entry = lane.row()[at];
    while (!entry.is_planned && may_start_before(time, machine, lane, entry)) {
      Choice choice{-1, time};
      if (machine != Lane::kAll) {
        choice = start_before(time, machine, lane, at, now);
        if (choice.machine < 0) break;
      }
      choice = choose_on_lane(lane, at, choice, now);
      if (choice.machine < 0) break;
      lane.settled(at, time, machine);
      const Slot slot{choice.machine, choice.start, entry.length, entry.cores};
      if (is_settled(lane, at, slot, now)) plan(lane, at, choice);
      has_planned = true;
      if (is_taken(asked)) return true;
    }
  }
  lane.settled(until, time, machine);
  return has_planned;
}

// Have all tasks before `at` that start on the slot's machine before its end got their plans? If not, they get them now, as
// far as they leave the slot free, and what was found without them has to be found again.
bool Target::is_settled(Lane& lane, std::size_t at, const Slot& slot, std::int64_t now) {
  // Those on the lane of a pack are asked for as one.
  const std::int64_t on = by_horizon_ ? slot.machine : Lane::kAll;
  const std::int64_t time = slot.start + slot.length;
  if (lane.settled_before(at, on) >= time) return true;
  // In a pack, when it would be far: to the end.
  constexpr std::int64_t kMostSteps = 3;
  if (!by_horizon_ && (time - now) / kMostSteps > horizon_ - last_change_) {
    return !settle(lane, at, kNever, on, nullptr, now);
  }
  return !settle(lane, at, look_ahead(time, now), on, &slot, now);
}

// No start of a job of that size in the pack is before; the lane's own tasks are not looked at.
std::int64_t Target::start_in_pack(const Lane& lane, const Wish& wish, std::int64_t now,
                                   std::int64_t limit) const {
  std::int64_t start = limit;
  const std::int64_t low = lane.first_machine();
  for (std::int64_t m = low; m < std::min(low + lane_width_, used_); ++m) {
    const AvailabilityProfile& availability = availability_[static_cast<std::size_t>(m)];
    start = availability.earliest(now, wish.cores, wish.length, start);
  }
  return start;
}

}  // namespace holdfast::capacity
