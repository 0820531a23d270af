#include "holdfast/domains/capacity/placement/lane_deferral.hpp"

#include <algorithm>

namespace holdfast::capacity {

LaneDeferral::LaneDeferral(Board& board, std::int64_t width) : Deferral{board} {
  for (std::int64_t m = 0; m < board.room.instance().machines; m += width) {
    lanes_.emplace_back(m, width);
    for (std::int64_t k = 0; k < width; ++k) lane_index_.push_back(lanes_.size() - 1);
  }
}

void LaneDeferral::clear() {
  Deferral::clear();
  for (Lane& lane : lanes_) lane.clear();
}

bool LaneDeferral::may_fill(std::int64_t machine) const {
  const Lane& lane = lanes_[lane_index_[static_cast<std::size_t>(machine)]];
  return !lane.empty() && machine < lane.until();
}

void LaneDeferral::plan(Lane& lane, std::size_t at, Choice choice) {
  const std::size_t task = lane.row()[at].task;
  lane.take(at);
  board_.machines.fill(choice.machine);
  board_.plan(task, choice.machine, choice.start);
}

void LaneDeferral::plan_first(std::int64_t now) {
  for (Lane& lane : lanes_) {
    if (lane.empty()) continue;
    const std::size_t first = lane.row().first();
    plan(lane, first, choose(lane, first, {-1, kNever}, now));
  }
}

// False: surely not. It tells most jobs apart without a search.
bool LaneDeferral::may_start_before(std::int64_t time, std::int64_t machine,
                                    const Lane::Entry& entry) const {
  const StartBounds& bounds = board_.starts.bounds();
  const std::int64_t low = entry.machines.low, until = entry.machines.until;
  if (machine != Lane::kAll) {
    return machine >= low && machine < until && bounds.bound(entry.bounds, machine) < time;
  }
  for (std::int64_t block = low; block < until; block += StartBounds::kAtOnce) {
    if (bounds.before(entry.bounds, block, until, time) != 0) return true;
  }
  return false;
}

// When the job starts on the machine, as far as the plans go that have been made, if that is before the time; on no machine
// where it is not. Of all machines it is told later.
Choice LaneDeferral::start_before(std::int64_t time, std::int64_t machine, Lane& lane,
                                  std::size_t at, std::int64_t now) {
  if (machine == Lane::kAll) return choose(lane, at, {-1, time}, now);
  const PlacementRequest& request = board_.starts.request(lane.row()[at].task);
  const std::int64_t not_before = lane.settled_at(at, machine);
  const std::int64_t start = board_.starts.known(request, machine, now, time, not_before);
  return start < time ? choose(lane, at, {machine, start}, now) : Choice{};
}

// Makes the plans of those jobs before `until` that start on the machine before the time, but no more once one of them takes
// the slot that is asked for. Tells whether it made any.
bool LaneDeferral::settle(Lane& lane, std::size_t until, std::int64_t time, std::int64_t machine,
                          const Slot* asked, std::int64_t now) {
  bool has_planned = false;
  for (std::size_t at = lane.first_unsettled(time, machine); at < until; ++at) {
    const Lane::Entry& entry = lane.row()[at];
    while (!entry.is_planned && may_start_before(time, machine, entry)) {
      const Choice choice = start_before(time, machine, lane, at, now);
      if (choice.machine < 0) break;
      lane.settled(at, time, machine);
      const Slot slot{choice.machine, choice.start, entry.length, entry.cores};
      if (is_settled_before(lane, at, slot, now)) plan(lane, at, choice);
      has_planned = true;
      if (is_taken(asked)) return true;
    }
  }
  lane.settled(until, time, machine);
  return has_planned;
}

bool LaneDeferral::is_settled_before(Lane& lane, std::size_t at, const Slot& slot,
                                     std::int64_t now) {
  const std::int64_t on = settled_on(slot.machine);
  const std::int64_t time = slot.start + slot.length;
  return lane.settled_before(at, on) >= time || !settle(lane, at, time, on, &slot, now);
}

bool LaneDeferral::is_settled(const Slot& slot, std::int64_t now) {
  Lane& lane = lane_of(slot.machine);
  return is_settled_before(lane, lane.row().size(), slot, now);
}

void LaneDeferral::plan_to_horizon(std::int64_t now) {
  wake_ = kNever;
  for (Lane& lane : lanes_) {
    if (lane.row().wake() <= now) {
      settle(lane, lane.row().size(), board_.horizon, Lane::kAll, nullptr, now);
    }
    wake_ = std::min(wake_, lane.row().wake());
  }
}

// No later than if the jobs on the lane ran one after the other, after all that is planned on the target.
bool PackDeferral::surely_starts_by(std::int64_t latest, const PlacementRequest&,
                                    std::int64_t target, std::int64_t now) {
  Lane& lane = lane_of(target);
  if (lane.gave_up()) return false;
  const std::int64_t time = latest - kRounding - lane.length();
  if (std::max(now, board_.starts.of(target).quiet_from()) <= time) return true;
  lane.give_up();
  return false;
}

void PackDeferral::put_off(const PlacementRequest& request, std::int64_t target, std::int64_t now) {
  const std::int64_t until = std::min(target + board_.rules.pack, board_.machines.count());
  const Vicinity pack{static_cast<std::int32_t>(target), static_cast<std::int32_t>(target),
                      static_cast<std::int32_t>(until)};
  if (board_.is_filling) return push(request, pack, now + 1);
  // No start of a job of that size in the pack is before; the lane's own jobs are not looked at.
  std::int64_t start = board_.horizon > now ? board_.horizon : kNever;
  for (std::int64_t m = target; m < until; ++m) {
    start = board_.starts.of(m).earliest(now, request.cores, request.length, start);
  }
  push(request, pack, start);
}

Choice PackDeferral::choose(Lane& lane, std::size_t at, Choice best, std::int64_t now) {
  const Lane::Entry& entry = lane.row()[at];
  const PlacementRequest& request = board_.starts.request(entry.task);
  const std::int64_t not_before = lane.settled_at(at);
  for (std::int64_t m = entry.machines.low; m < entry.machines.until; ++m) {
    const std::int64_t start = board_.starts.known(request, m, now, best.start, not_before);
    if (start < best.start) best = {m, start};
  }
  return best;
}

// What most of a backlog do: they start nowhere near before the horizon.
std::size_t HorizonDeferral::set_aside(std::span<const std::size_t> backlog, const Scale& scale,
                                       double, std::int64_t now) {
  if (!HorizonDeferral::has_horizon(now)) return 0;
  Openings& openings = board_.starts.openings();
  for (std::size_t i = 0; i < backlog.size(); ++i) {
    const PlacementRequest& request = board_.starts.request(backlog[i]);
    const std::int64_t target = scale.target_of(request.category);
    if (!openings.excludes(request.place.read_cores, target, request.length)) return i;
    push(request, board_.near(target), board_.horizon);
  }
  return backlog.size();
}

void HorizonDeferral::put_off(const PlacementRequest& request, std::int64_t target, std::int64_t) {
  push(request, board_.near(target), board_.horizon);
}

Choice HorizonDeferral::choose(Lane& lane, std::size_t at, Choice best, std::int64_t now) {
  const Lane::Entry& entry = lane.row()[at];
  return board_.starts.smallest_known(board_.starts.request(entry.task), entry.machines, best,
                                      Ties::lowest, now, {&lane, at});
}

}  // namespace holdfast::capacity
