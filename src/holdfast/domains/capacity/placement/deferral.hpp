#pragma once

#include "holdfast/domains/capacity/placement/lane.hpp"
#include "holdfast/domains/capacity/placement/placement_state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// The jobs whose plans need not be made yet. A change of the capacity drops all plans, and then a backlog of thousands of jobs
/// is placed again; the next change drops nearly all of these plans before they are used. So a job that cannot start now may be
/// deferred: it waits on a lane, in the order of the plans, and only the parts of its plan that decisions need are computed.
///
///     cores of     a search sees what runs (R) and the plans that were made (P), not the deferred jobs (a, b)
///     machine m
///        |RRRRRRRRRR|        +-----------+         The slot is right if no deferred job starts on m
///        |RRRRRRRRRR|  [a]   |   slot    |         before its end. b may start there later and a may start on
///        |RRRRR|PPPPPPPPPP|  |           | [b]     another machine: then they do not matter. So before a slot is
///        +-----+----+----+---+-----------+----->   accepted, is_settled() plans exactly those jobs, like a, that
///        now                start       end        start on m before its end; each of their slots is settled first.
///
/// A search that does not see some plans finds a start that is right or too early, never too late. So a start that it rejects
/// is rejected for good. docs/decisions/0052 proves that the runs are the same as if each plan were made at once.
///
/// A lane has one machine, where jobs wait for their target, or the machines of a pack, where they wait for their pack. In both
/// cases a job is deferred once it is certain that it will wait there: even the latest start that it could get keeps its
/// stretch within the limit. The limit only rises, so this stays true. The author's ASAP policies compare all machines near the
/// target, and have one lane for all machines: a job is deferred when it starts on no machine near its target before the
/// horizon, which is most likely the next change of the capacity.
class Deferral {
 public:
  explicit Deferral(PlacementState& placement);

  /// Defers nothing from now on; and defers again, if that is possible.
  void stop() { is_on_ = false; }
  void resume();
  /// Drops all plans, and all deferred jobs.
  void clear();

  /// Defers the first tasks of a backlog for as long as that needs no search, and returns how many it deferred.
  /// @param limit  the largest stretch at which a job may wait for its target
  /// @param scales  by level (MachinesInUse)
  std::size_t set_aside(std::span<const std::size_t> backlog, std::span<const Scale> scales,
                        double limit, std::int64_t now);
  /// Returns true if the job certainly starts by `latest` when it waits for its target, wherever the other deferred jobs go.
  bool surely_starts_by(std::int64_t latest, const PlacementRequest& request, std::int64_t target,
                        std::int64_t now) {
    const std::int64_t time = latest - kRounding;
    return is_on_ && !looks_to_horizon_ && now <= time &&
           surely_starts_on(target, time, request.cores, now);
  }
  /// Returns true if a job may be deferred because it cannot start on any machine before the horizon.
  [[nodiscard]] bool has_horizon(std::int64_t now) const {
    return is_on_ && looks_to_horizon_ && now + 1 < placement_.horizon;
  }
  /// Defers the job.
  void put_off(const PlacementRequest& request, std::int64_t target, std::int64_t now);

  /// Returns true if the slot is the one that the search would find if all plans were made. Otherwise it makes the plans that
  /// could be in the way, and the search must be repeated.
  [[nodiscard]] bool is_settled(const Slot& slot, std::int64_t now);
  /// Records that a job which was not deferred has been placed on the machine.
  void disturb(std::int64_t machine) { lane_of(machine).forget_end(); }

  /// Returns a time before which no deferred job starts; kNever if there is none.
  [[nodiscard]] std::int64_t wake() const { return wake_; }
  /// Makes all plans that start before the horizon.
  void plan_to_horizon(std::int64_t now);

  /// Returns true if the machine of some deferred job is not decided yet.
  [[nodiscard]] bool leaves_machines_open() const { return width_ > 1 && wake_ != kNever; }
  /// Returns true if a deferred job may go to this machine.
  [[nodiscard]] bool may_fill(std::int64_t machine) {
    const Lane& lane = lane_of(machine);
    return !lane.empty() && machine < lane.machines().until;
  }
  /// Plans all jobs, and defers nothing from now on.
  void plan_all(std::int64_t now);
  /// Plans the first job of each lane.
  void plan_first(std::int64_t now);

 private:
  /// By class of cores: a length in seconds. Jobs that are at least as long are known to start later.
  using LateLengths = std::array<std::int64_t, StartBounds::kMostCores>;

  [[nodiscard]] Lane& lane_of(std::int64_t machine) {
    return lanes_[static_cast<std::size_t>(width_ == 1 ? machine : machine / width_)];
  }
  /// Returns the machines that a job with this target may go to when it waits.
  [[nodiscard]] MachineRange machines_for(std::int64_t target, std::int64_t cores) const {
    if (looks_to_horizon_) return placement_.near(target, cores);
    const auto first = static_cast<std::int32_t>(target);
    if (width_ == 1) return {first, first, first + 1};
    const std::int64_t until = std::min(target + width_, placement_.machines.end_for(cores));
    return {first, first, static_cast<std::int32_t>(until)};
  }
  [[nodiscard]] bool surely_starts_on(std::int64_t target, std::int64_t time, std::int64_t cores,
                                      std::int64_t now) {
    Lane& lane = lane_of(target);
    const std::int64_t count = width_ == 1 ? 1 : machines_for(target, cores).until - target;
    if (!lane.has_end(count)) find_end(lane, machines_for(target, cores), now);
    const Instance& instance = placement_.cluster.instance();
    if (instance.sizes.empty()) return lane.surely_starts_by(time, cores, instance.cores, count);
    return lane.surely_starts_by(time, busy_while(lane.widest_with(cores), target, count));
  }
  /// Returns the cores of these machines that surely work while a task with that number of cores waits for any of them.
  [[nodiscard]] std::int64_t busy_while(std::int64_t cores, std::int64_t first,
                                        std::int64_t count) const;
  void find_end(Lane& lane, const MachineRange& machines, std::int64_t now);
  void push(const PlacementRequest& request, std::int64_t target, std::int64_t wake) {
    lane_of(target).push(request, machines_for(target, request.cores), wake);
    if (width_ == 1) placement_.machines.add_plan(target);
    wake_ = std::min(wake_, wake);
  }
  [[nodiscard]] Choice start_before(std::int64_t time, std::int64_t machine,
                                    const Lane::Entry& entry, std::int64_t now);
  void plan(Lane& lane, std::size_t at, Choice choice);
  [[nodiscard]] std::int64_t late_length(std::size_t core_class, const MachineRange& machines,
                                         std::int64_t time) const;
  void plan_until(Lane& lane, std::size_t until, std::int64_t now);
  bool settle(Lane& lane, std::size_t until, std::int64_t time, std::int64_t machine,
              const Slot* asked, std::int64_t now);
  [[nodiscard]] bool is_settled_before(Lane& lane, std::size_t at, const Slot& slot,
                                       std::int64_t now);

  PlacementState& placement_;
  bool is_on_;
  bool looks_to_horizon_;
  std::int64_t width_;  // machines of a lane; the last lane may have fewer
  std::vector<Lane> lanes_;
  std::int64_t wake_ = kNever;
};

}  // namespace holdfast::capacity
