#include "holdfast/domains/capacity/strategies/target_policy.hpp"

#include <cassert>

namespace holdfast::capacity {

TargetPolicy::TargetPolicy(ClusterState& cluster, const TargetRules& rules)
    : placement_{cluster, rules}, deferral_{placement_}, is_waiting_(cluster.tasks().size(), 0) {}

std::unique_ptr<Strategy> make_target_policy(ClusterState& cluster, const TargetRules& rules) {
  switch (rules.kind) {
    case TargetKind::stretch:
      return make_target_stretch(cluster, rules);
    case TargetKind::asap:
      return make_target_asap(cluster, rules);
    case TargetKind::packed:
      break;
  }
  return make_packed_target_asap(cluster, rules);
}

Scale TargetPolicy::scale(std::size_t level) const {
  const MachinesInUse& machines = placement_.machines;
  const std::int64_t used = machines.count(level);
  return {.count = static_cast<double>(used),
          .last = used - 1,
          .machines = level == 0 ? nullptr : machines.large_enough(level).data()};
}

void TargetPolicy::open(std::int64_t now) {
  const ClusterState& cluster = placement_.cluster;
  std::int64_t used = std::min(cluster.instance().safe_machines, cluster.alive_count());
  // The text does not treat the case without a safe machine: here one is in use as soon as one is alive.
  if (used == 0 && cluster.alive_count() > 0) used = 1;
  begin(now, {.used = used});
}

void TargetPolicy::resume(std::int64_t now, const Memory& memory) {
  is_live_ = true;
  deferral_.stop();
  begin(now, memory);
}

void TargetPolicy::begin(std::int64_t now, const Memory& memory) {
  placement_.machines.use(memory.used);
  largest_stretch_ = memory.largest_stretch;
  for (std::int64_t m = 0; m < placement_.cluster.instance().machines; ++m)
    placement_.starts.rebuild(m, now);
}

void TargetPolicy::add_plan(std::size_t task, std::int64_t machine, std::int64_t from) {
  const PlacementRequest& request = placement_.starts.request(task);
  const auto found = placement_.starts.of(machine).earliest(from, request.cores, request.length);
  if (is_waiting_[task] == 0) wait(task);
  placement_.plan(task, {machine, found.start, request.length, request.cores});
}

void TargetPolicy::forget(std::span<const std::int64_t> machines, std::int64_t now) {
  std::vector<char> is_among(static_cast<std::size_t>(placement_.cluster.instance().machines), 0);
  for (const std::int64_t machine : machines) {
    is_among[static_cast<std::size_t>(machine)] = 1;
    placement_.machines.drop_all(machine);
    placement_.starts.rebuild(machine, now);
  }
  placement_.plans.drop_if([&](const PlannedStart& plan) {
    return is_among[static_cast<std::size_t>(plan.machine)] != 0;
  });
}

std::vector<Strategy::Plan> TargetPolicy::plans() const {
  std::vector<Plan> out;
  placement_.plans.each([&](const PlannedStart& plan) {
    out.push_back({plan.task, plan.machine, plan.start});
  });
  return out;
}

Strategy::Answer TargetPolicy::answer(std::size_t task, std::int64_t now) {
  const PlacementRequest& request = placement_.starts.request(task);
  const std::size_t level = placement_.machines.level_of(request.cores);
  if (!has_machine_for(request.cores) || placement_.machines.count(level) == 0) return {};
  const std::int64_t target = target_of(request);
  const Choice choice = choose(request, target, Search(placement_, deferral_, now));
  return {.target = target, .machine = choice.machine, .start = choice.start};
}

void TargetPolicy::wait(std::size_t task) {
  backlog_.push_back(task);
  is_waiting_[task] = 1;
  ++waiting_;
}

void TargetPolicy::leave(std::size_t task) {
  is_waiting_[task] = 0;
  --waiting_;
}

void TargetPolicy::place(const PlacementRequest& request, Choice choice, std::int64_t now) {
  assert(choice.machine >= 0);
  if (choice.start == kLater) return deferral_.put_off(request, choice.machine, now);
  placement_.machines.fill(choice.machine);
  deferral_.disturb(choice.machine);
  if (placement_.rules.author) {
    largest_stretch_ = std::max(largest_stretch_, request.stretch_at(choice.start));
  }
  const Slot slot{choice.machine, choice.start, request.length, request.cores};
  if (choice.start > now) return placement_.plan(request.task, slot);
  static_cast<void>(placement_.starts.free_at(choice.machine, now));  // forgets earlier steps
  placement_.starts.reserve(slot);
  leave(request.task);
  placement_.cluster.start(request.task, choice.machine, now);
  if (placement_.rules.author) show(choice.machine, now);
}

// Makes the plans that could come due at this instant.
void TargetPolicy::plan_due(std::int64_t now) {
  if (std::min(deferral_.wake(), placement_.plans.first_beyond()) > now) return;
  if (placement_.horizon <= now + 1) {
    placement_.horizon = now + std::max<std::int64_t>(2, now - placement_.last_change);
  }
  if (placement_.plans.first_beyond() <= now) placement_.plans.take_up(placement_.horizon);
  if (deferral_.wake() <= now) deferral_.plan_to_horizon(now);
}

void TargetPolicy::start_planned(std::int64_t now) {
  plan_due(now);
  while (placement_.plans.is_due(now)) {
    const PlannedStart plan = placement_.plans.pop();
    leave(plan.task);
    placement_.machines.drop_plan(plan.machine);
    placement_.cluster.start(plan.task, plan.machine, now);
    if (!placement_.rules.author) continue;
    show(plan.machine, now);
    update_use(now);
  }
}

void TargetPolicy::on_end(const ClusterState::Ended& ended, std::int64_t now) {
  if (placement_.rules.author) {
    show(ended.machine, now);
    update_use(now);
    return;
  }
  const PlacementRequest& request = placement_.starts.request(ended.task);
  largest_stretch_ = std::max(largest_stretch_, request.stretch_at(now - request.length));
}

void TargetPolicy::before_arrivals(bool has_ends, std::int64_t now) {
  if (has_ends && !placement_.rules.author) update_use(now);
}

void TargetPolicy::on_arrival(std::size_t task, std::int64_t now) {
  wait(task);
  if (placement_.cluster.alive_count() == 0) return;
  if (placement_.rules.author && placement_.cluster.task(task).is_carried_in())
    return carry_in(task, now);
  const std::int64_t before = waiting_;
  const PlacementRequest& request = placement_.starts.request(task);
  if (has_machine_for(request.cores))
    place(request, choose(request, target_of(request), Search(placement_, deferral_, now)), now);
  // The author evaluates the use at every start, the text at every arrival.
  if (!placement_.rules.author || waiting_ < before) update_use(now);
}

// The author's rule for jobs that run when the window opens: the first machine in use where they start at once, or not
// at all; machine 0 then counts as full until the next re-allocation.
void TargetPolicy::carry_in(std::size_t task, std::int64_t now) {
  const PlacementRequest& request = placement_.starts.request(task);
  const Search search(placement_, deferral_, now);
  for (std::int64_t m = 0; m < placement_.machines.count(); ++m) {
    if (!search.can_start(request, m)) continue;
    place(request, {m, now}, now);
    update_use(now);
    return;
  }
  leave(task);
  ++dropped_;
  placement_.machines.mark(0);
}

void TargetPolicy::on_added(std::span<const std::int64_t> machines, std::int64_t before,
                            std::int64_t now) {
  for (const std::int64_t machine : machines) placement_.starts.rebuild(machine, now);
  MachinesInUse& in_use = placement_.machines;
  if (placement_.rules.author && before > 0) {
    update_use(now);
    reallocate({}, now);
    return in_use.release_marks(now, deferral_);
  }
  bool has_other_targets = false;
  for (std::size_t level = 0; level < in_use.levels(); ++level) {
    const std::int64_t were_there = in_use.among(before, level);
    if (in_use.alive(level) == were_there) continue;
    if (were_there == 0) {
      in_use.begin(level);
    } else if (in_use.count(level) == were_there && in_use.should_grow(level, now, deferral_)) {
      in_use.update(level, now, deferral_);
    } else {
      continue;
    }
    has_other_targets = true;
  }
  if (has_other_targets) reallocate({}, now);
}

void TargetPolicy::on_removed(std::span<const std::int64_t> machines,
                              std::span<const std::size_t> killed, std::int64_t now) {
  for (const std::int64_t machine : machines) placement_.starts.rebuild(machine, now);
  placement_.machines.use_only_alive();
  reallocate(killed, now);
  if (placement_.cluster.alive_count() == 0) return;
  if (placement_.rules.author) {
    placement_.machines.release_marks(now, deferral_);
  } else {
    update_use(now);
  }
}

// All plans are dropped; killed and waiting jobs are placed again, in order of release.
void TargetPolicy::reallocate(std::span<const std::size_t> killed, std::int64_t now) {
  placement_.plans.clear();
  deferral_.clear();
  // The next change is expected after as long a time as lies between the last one and this one.
  placement_.horizon = placement_.last_change < now ? now + (now - placement_.last_change) + 2 : 0;
  placement_.last_change = now;
  std::erase_if(backlog_, [this](std::size_t task) { return is_waiting_[task] == 0; });
  const auto left = static_cast<std::ptrdiff_t>(backlog_.size());
  for (const std::size_t task : killed) {
    wait(task);
    placement_.starts.renew(task);
  }
  std::sort(backlog_.begin() + left, backlog_.end());
  std::inplace_merge(backlog_.begin(), backlog_.begin() + left, backlog_.end());
  const std::int64_t machines = placement_.cluster.instance().machines;
  for (std::int64_t m = 0; m < machines; ++m) {
    if (placement_.machines.drop_all(m)) placement_.starts.rebuild(m, now);
  }
  placement_.machines.count_empty();
  placement_.is_filling = true;
  if (is_live_) deferral_.resume();
  const Search search(placement_, deferral_, now);
  std::vector<Scale> in_use;
  for (std::size_t level = 0; level < placement_.machines.levels(); ++level)
    in_use.push_back(scale(level));
  const bool has_machines = placement_.cluster.alive_count() > 0;
  const auto all = std::span<const std::size_t>(backlog_).first(has_machines ? backlog_.size() : 0);
  for (std::size_t i = 0;; ++i) {
    i += deferral_.set_aside(all.subspan(i), in_use, largest_stretch_, now);
    if (i == all.size()) break;
    const PlacementRequest& request = placement_.starts.request(all[i]);
    if (!has_machine_for(request.cores)) continue;
    const Scale& own = in_use[placement_.machines.level_of(request.cores)];
    place(request, choose(request, own.target_of(request.category), search), now);
  }
  placement_.is_filling = false;
  if (is_live_) deferral_.plan_all(now);
  if (!placement_.rules.author) return;
  for (std::int64_t m = 0; m < machines; ++m) show(m, now);
}

void TargetPolicy::show(std::int64_t machine, std::int64_t now) {
  const std::int64_t cores = placement_.cluster.instance().cores;
  placement_.machines.show(machine, cores - placement_.starts.free_at(machine, now));
}

}  // namespace holdfast::capacity
