#include "holdfast/domains/capacity/placement/deferral.hpp"

#include <algorithm>

namespace holdfast::capacity {

Deferral::Deferral(PlacementState& placement)
    : placement_{placement},
      looks_to_horizon_{placement.rules.looks_to_horizon()},
      width_{looks_to_horizon_ ? placement.cluster.instance().machines + 1
                               : placement.rules.lane_width()} {
  const std::int64_t machines = placement.cluster.instance().machines;
  resume();
  for (std::int64_t m = 0; m < machines; m += width_) {
    lanes_.emplace_back(m, looks_to_horizon_ ? machines : 0);
  }
}

void Deferral::resume() {
  is_on_ =
      placement_.rules.defers && width_ <= Lane::kMostCores / placement_.cluster.instance().cores;
}

void Deferral::clear() {
  wake_ = kNever;
  for (Lane& lane : lanes_) lane.clear();
}

// Most jobs of a backlog are deferred here. Where jobs wait for their target, a job must not be able to start now; where they
// compare all machines near it, a job must not be able to start before the horizon.
std::size_t Deferral::set_aside(std::span<const std::size_t> backlog, std::span<const Scale> scales,
                                double limit, std::int64_t now) {
  const TargetRules& rules = placement_.rules;
  // A pack that reaches further than the distance is looked at machine by machine.
  const bool reaches_near = rules.kind != TargetKind::packed || rules.pack <= rules.distance + 1;
  if (looks_to_horizon_ ? !has_horizon(now) : !is_on_ || !reaches_near) return 0;
  const bool looks_near = rules.kind != TargetKind::stretch;
  const std::int64_t wake = looks_to_horizon_ ? placement_.horizon : now + 1;
  for (std::size_t i = 0; i < backlog.size(); ++i) {
    const PlacementRequest& request = placement_.starts.request(backlog[i]);
    const std::size_t level = placement_.machines.level_of(request.cores);
    if (placement_.machines.count(level) == 0) return i;
    const std::int64_t target = scales[level].target_of(request.category);
    const bool starts_before =
        looks_near
            ? !placement_.starts.excludes(request, placement_.near(target, request.cores), wake)
            : placement_.cluster.free(target) >= request.cores;
    if (starts_before) return i;
    if (!looks_to_horizon_) {
      const std::int64_t time = request.latest_start(limit) - kRounding;
      if (now > time || !surely_starts_on(target, time, request.cores, now)) return i;
    }
    push(request, target, wake);
  }
  return backlog.size();
}

std::int64_t Deferral::busy_while(std::int64_t cores, std::int64_t first,
                                  std::int64_t count) const {
  std::int64_t busy = 0;
  for (std::int64_t m = first; m < first + count; ++m)
    busy += std::max<std::int64_t>(0, placement_.cluster.cores(m) - cores + 1);
  return busy;
}

// Finds the time from which the machines have the cores of the widest job (or, if they have fewer, all of theirs) free for good,
// given the plans there.
void Deferral::find_end(Lane& lane, const MachineRange& machines, std::int64_t now) {
  AvailabilityProfile::End all{now, 0};
  for (std::int64_t m = machines.low; m < machines.until; ++m) {
    const AvailabilityProfile::End end = placement_.starts.of(m).end_of(placement_.widest, now);
    all = {std::max(all.time, end.time), all.taken + end.taken};
  }
  lane.set_end(all, machines.until - machines.low);
}

void Deferral::put_off(const PlacementRequest& request, std::int64_t target, std::int64_t now) {
  std::int64_t wake = placement_.horizon;
  // While a backlog is placed, no start is computed: plan_to_horizon() does that once, afterwards.
  if (!looks_to_horizon_ && placement_.is_filling) {
    wake = now + 1;
  } else if (!looks_to_horizon_) {
    // A start after the next change is most likely never needed. The jobs before this one on the lane are left out: that can
    // only make the time too early.
    const Lane::Entry entry{request.length, request.task, request.cores,
                            machines_for(target, request.cores), request.place};
    const std::int64_t limit = placement_.horizon > now ? placement_.horizon : kNever;
    wake = std::min(limit, start_before(limit, Lane::kAll, entry, now).start);
  }
  push(request, target, wake);
}

// Returns where and when the job starts, given the plans made so far, if it can start on the machine before the time; else
// none.
Choice Deferral::start_before(std::int64_t time, std::int64_t machine, const Lane::Entry& entry,
                              std::int64_t now) {
  EarliestStarts& starts = placement_.starts;
  Choice best{-1, time};
  if (width_ == 1) {
    best = {entry.machines.center, starts.known_on(entry.machines.center, entry.place, entry.cores,
                                                   entry.length, now, time)};
    return best.start < time ? best : Choice{};
  }
  const PlacementRequest& request = starts.request(entry.task);
  if (machine != Lane::kAll) best = {machine, starts.known(request, machine, now, time)};
  if (machine != Lane::kAll && best.start >= time) return {};
  best = starts.smallest_known(request, entry.machines, best, Ties::lowest, now);
  return best.machine < 0 ? Choice{} : best;
}

void Deferral::plan(Lane& lane, std::size_t at, Choice choice) {
  const Lane::Entry& entry = lane[at];
  const Slot slot{choice.machine, choice.start, entry.length, entry.cores};
  lane.take(at);
  if (width_ == 1) return placement_.note(entry.task, slot);
  placement_.machines.fill(choice.machine);
  placement_.plan(entry.task, slot);
}

void Deferral::plan_all(std::int64_t now) {
  for (Lane& lane : lanes_) plan_until(lane, lane.size(), now);
  clear();
  stop();
}

void Deferral::plan_first(std::int64_t now) {
  for (Lane& lane : lanes_) {
    if (lane.empty()) continue;
    const std::size_t first = lane.first();
    plan(lane, first, start_before(kNever, Lane::kAll, lane[first], now));
  }
}

// Returns the largest late length of the machines: jobs at least as long are known to start on none of them before the time.
std::int64_t Deferral::late_length(std::size_t core_class, const MachineRange& machines,
                                   std::int64_t time) const {
  std::int64_t late = 0;
  for (std::int64_t m = machines.low; m < machines.until; ++m) {
    late = std::max(late, placement_.starts.late_length(core_class, m, time));
  }
  return late;
}

// Makes the plans of those jobs before `until` that start on the machine before the time, and stops once one of them takes
// cores of the slot that is asked for. Returns true if it made any.
bool Deferral::settle(Lane& lane, std::size_t until, std::int64_t time, std::int64_t machine,
                      const Slot* asked, std::int64_t now) {
  const auto first = static_cast<std::int32_t>(machine);
  const MachineRange on =
      machine == Lane::kAll ? lane.machines() : MachineRange{first, first, first + 1};
  LateLengths late;
  for (std::size_t c = 0; c < placement_.starts.core_classes(); ++c) {
    late[c] = late_length(c, on, time);
  }
  bool has_planned = false;
  for (std::size_t at = lane.first_unsettled(time, machine); at < until; ++at) {
    const Lane::Entry& entry = lane[at];
    std::int64_t& late_for_it = late[entry.place.read_cores];
    while (entry.length < late_for_it && !entry.is_planned && entry.machines.low < on.until &&
           on.low < entry.machines.until) {
      const Choice choice = start_before(time, machine, entry, now);
      late_for_it = late_length(entry.place.read_cores, on, time);
      if (choice.machine < 0) break;
      lane.settled(at, time, machine);
      const Slot slot{choice.machine, choice.start, entry.length, entry.cores};
      if (is_settled_before(lane, at, slot, now)) plan(lane, at, choice);
      has_planned = true;
      if (asked != nullptr && !placement_.starts.is_free(*asked)) return true;
    }
  }
  lane.settled(until, time, machine);
  return has_planned;
}

// Makes the plans of all jobs before `until`, in order, so that none of their slots has to be settled first.
void Deferral::plan_until(Lane& lane, std::size_t until, std::int64_t now) {
  for (std::size_t at = lane.first(); at < until; ++at) {
    const Lane::Entry& entry = lane[at];
    if (entry.is_planned) continue;
    if (width_ > 1) {
      plan(lane, at, start_before(kNever, Lane::kAll, entry, now));
      continue;
    }
    const std::int64_t machine = entry.machines.center;
    const std::int64_t start =
        placement_.starts.known_on(machine, entry.place, entry.cores, entry.length, now, kNever);
    placement_.note(entry.task, {machine, start, entry.length, entry.cores});
  }
  lane.take_until(until);
}

bool Deferral::is_settled_before(Lane& lane, std::size_t at, const Slot& slot, std::int64_t now) {
  const std::int64_t on = looks_to_horizon_ ? slot.machine : Lane::kAll;
  const std::int64_t time = slot.start + slot.length;
  if (lane.settled_before(at, on) >= time) return true;
  // Most jobs of the lane can stay deferred only if the slot ends within the first part of the time that their work takes.
  // Later, nearly all of them start before its end, or are needed soon.
  constexpr std::int64_t kParts = 8;
  const std::int64_t cores = placement_.cluster.instance().cores * width_;
  if (looks_to_horizon_ || time - now < lane.area() / cores / kParts) {
    return !settle(lane, at, time, on, &slot, now);
  }
  plan_until(lane, at, now);
  return false;
}

bool Deferral::is_settled(const Slot& slot, std::int64_t now) {
  Lane& lane = lane_of(slot.machine);
  return is_settled_before(lane, lane.size(), slot, now);
}

void Deferral::plan_to_horizon(std::int64_t now) {
  wake_ = kNever;
  for (Lane& lane : lanes_) {
    if (lane.wake() <= now) {
      settle(lane, lane.size(), placement_.horizon, Lane::kAll, nullptr, now);
    }
    wake_ = std::min(wake_, lane.wake());
  }
}

}  // namespace holdfast::capacity
