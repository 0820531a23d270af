#pragma once

#include "holdfast/domains/capacity/placement/target_rules.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <span>
#include <vector>

/// The target policies as the source describes them, without any optimisation. Tests compare the fast policies with these.
namespace holdfast::capacity::testing {

/// A planned start.
struct PlainPlan {
  std::size_t task;
  std::int64_t machine;
  std::int64_t start;
};

/// Plans, and the cores that they and the running tasks leave free, recomputed for each query.
struct PlainPlans {
  [[nodiscard]] bool fits(std::size_t task, std::int64_t machine, std::int64_t start) const {
    const std::int64_t end = start + cluster.next_length(task);
    std::vector<std::int64_t> instants = {start};
    for (const PlainPlan& plan : plans) {
      if (plan.machine == machine && plan.start > start && plan.start < end)
        instants.push_back(plan.start);
    }
    return std::all_of(instants.begin(), instants.end(), [&](std::int64_t t) {
      std::int64_t free = size_of(machine) - cluster.task(task).cores;
      for (const ClusterState::Running& run : cluster.running(machine)) {
        if (run.end > t) free -= cluster.task(run.task).cores;
      }
      for (const PlainPlan& plan : plans) {
        const bool holds = plan.machine == machine && plan.start <= t &&
                           t < plan.start + cluster.next_length(plan.task);
        if (holds) free -= cluster.task(plan.task).cores;
      }
      return free >= 0;
    });
  }

  /// Returns the cores of a machine, counted through the list of sizes.
  [[nodiscard]] std::int64_t size_of(std::int64_t machine) const {
    std::int64_t next = 0;
    for (const MachineSize& size : cluster.instance().sizes) {
      for (std::int64_t i = 0; i < size.machines; ++i) {
        if (next++ == machine) return size.cores;
      }
    }
    return cluster.instance().cores;
  }

  // Cores are given back only at ends, so the first start is now or one of these ends.
  [[nodiscard]] std::int64_t earliest(std::size_t task, std::int64_t machine,
                                      std::int64_t now) const {
    std::vector<std::int64_t> instants = {now};
    for (const ClusterState::Running& run : cluster.running(machine)) instants.push_back(run.end);
    for (const PlainPlan& plan : plans) {
      if (plan.machine == machine) instants.push_back(plan.start + cluster.next_length(plan.task));
    }
    std::sort(instants.begin(), instants.end());
    for (const std::int64_t t : instants) {
      if (t >= now && fits(task, machine, t)) return t;
    }
    return kNever;
  }

  [[nodiscard]] double stretch(std::size_t task, std::int64_t start) const {
    const Task& job = cluster.task(task);
    return static_cast<double>(start + cluster.next_length(task) - job.release) /
           static_cast<double>(job.length);
  }

  [[nodiscard]] std::int64_t first_start() const {
    std::int64_t first = kNever;
    for (const PlainPlan& plan : plans) first = std::min(first, plan.start);
    return first;
  }

  /// Drops all plans. Returns the killed, planned and unplanned tasks, in order of release.
  std::vector<std::size_t> drop(std::span<const std::size_t> killed,
                                std::vector<std::size_t>& unplanned) {
    std::vector<std::size_t> backlog(killed.begin(), killed.end());
    for (const PlainPlan& plan : plans) backlog.push_back(plan.task);
    backlog.insert(backlog.end(), unplanned.begin(), unplanned.end());
    std::sort(backlog.begin(), backlog.end());
    plans.clear();
    unplanned.clear();
    return backlog;
  }

  ClusterState& cluster;
  std::vector<PlainPlan> plans;
};

/// The parts that the plain forms of both profiles share.
class PlainPolicy : public Strategy {
 public:
  PlainPolicy(ClusterState& cluster, TargetRules rules)
      : cluster_{cluster}, rules_{rules}, known_{cluster, {}} {}

  void open(std::int64_t) override { used_ = std::min(least(), cluster_.alive_count()); }
  std::int64_t next_planned() override { return known_.first_start(); }
  std::int64_t waiting() const override {
    return static_cast<std::int64_t>(known_.plans.size() + unplanned_.size());
  }

 protected:
  [[nodiscard]] std::int64_t least() const {
    return std::max<std::int64_t>(1, cluster_.instance().safe_machines);
  }
  [[nodiscard]] bool has_plan(std::int64_t machine) const {
    return std::any_of(known_.plans.begin(), known_.plans.end(),
                       [machine](const PlainPlan& plan) { return plan.machine == machine; });
  }
  /// Returns min(floor(C count), count - 1) of the job's category C.
  [[nodiscard]] std::int64_t part_of(std::size_t task, std::int64_t count) const {
    const double scaled = std::floor(cluster_.task(task).category * static_cast<double>(count));
    return std::min(static_cast<std::int64_t>(scaled), count - 1);
  }

  ClusterState& cluster_;
  TargetRules rules_;
  std::int64_t used_ = 0;
  double largest_stretch_ = 1;
  PlainPlans known_;
  std::vector<std::size_t> unplanned_;
};

/// The policies of Perotin's thesis, sections 4.5.3 to 4.5.5. Where machines differ in size, jobs that need more than some size
/// see only the machines that are large enough: those are counted, used and numbered as if the others did not exist. Distances,
/// packs and ties go by the numbers of all machines.
class PlainTarget final : public PlainPolicy {
 public:
  PlainTarget(ClusterState& cluster, TargetRules rules) : PlainPolicy{cluster, rules} {
    for (std::int64_t m = 0; m < cluster.instance().machines; ++m) used_of_[known_.size_of(m)] = 0;
  }

  void open(std::int64_t) override {
    for (auto& [size, used] : used_of_) used = std::min(least_of(size), alive_of(size));
  }
  void on_end(const ClusterState::Ended& ended, std::int64_t now) override {
    const Task& task = cluster_.task(ended.task);
    largest_stretch_ = std::max(largest_stretch_, static_cast<double>(now - task.release) /
                                                      static_cast<double>(task.length));
  }
  void on_added(std::span<const std::int64_t> added, std::int64_t, std::int64_t now) override {
    bool places_again = false;
    for (auto& [size, used] : used_of_) {
      std::int64_t before = alive_of(size);
      for (const std::int64_t m : added) before -= known_.size_of(m) >= size ? 1 : 0;
      if (before == alive_of(size)) continue;
      if (before == 0) {
        used = std::min(least_of(size), alive_of(size));
      } else if (used == before && use(size) > rules_.grow_above) {
        update_use(size);
      } else {
        continue;
      }
      places_again = true;
    }
    if (places_again) reallocate({}, now);
  }
  void on_removed(std::span<const std::int64_t>, std::span<const std::size_t> killed,
                  std::int64_t now) override {
    for (auto& [size, used] : used_of_) used = std::min(used, alive_of(size));
    reallocate(killed, now);
    update_use();
  }
  void start_planned(std::int64_t now) override {
    std::sort(known_.plans.begin(), known_.plans.end(),
              [](const PlainPlan& a, const PlainPlan& b) { return a.task < b.task; });
    std::erase_if(known_.plans, [&](const PlainPlan& plan) {
      if (plan.start == now) cluster_.start(plan.task, plan.machine, now);
      return plan.start == now;
    });
  }
  void before_arrivals(bool has_ends, std::int64_t) override {
    if (has_ends) update_use();
  }
  void on_arrival(std::size_t task, std::int64_t now) override {
    allocate(task, now);
    update_use();
  }

 private:
  // Returns the machines of that size or larger, safest first.
  [[nodiscard]] std::vector<std::int64_t> of(std::int64_t size) const {
    std::vector<std::int64_t> out;
    for (std::int64_t m = 0; m < cluster_.instance().machines; ++m) {
      if (known_.size_of(m) >= size) out.push_back(m);
    }
    return out;
  }
  [[nodiscard]] std::int64_t alive_of(std::int64_t size) const {
    const std::vector<std::int64_t> machines = of(size);
    return std::count_if(machines.begin(), machines.end(),
                         [&](std::int64_t m) { return cluster_.is_alive(m); });
  }
  [[nodiscard]] std::int64_t least_of(std::int64_t size) const {
    const std::vector<std::int64_t> machines = of(size);
    const auto safe = std::count_if(machines.begin(), machines.end(), [&](std::int64_t m) {
      return m < cluster_.instance().safe_machines;
    });
    return std::max<std::int64_t>(1, safe);
  }
  // Returns the smallest size with the cores of the task.
  [[nodiscard]] std::int64_t size_for(std::size_t task) const {
    return used_of_.lower_bound(cluster_.task(task).cores)->first;
  }
  // Returns one past the last machine that is used for the task.
  [[nodiscard]] std::int64_t end_for(std::size_t task) const {
    const std::int64_t size = size_for(task);
    return of(size)[static_cast<std::size_t>(used_of_.at(size) - 1)] + 1;
  }

  // Returns the smallest first start within the distance; ties go to the nearest machine, then to the lower one.
  [[nodiscard]] PlainPlan best_near(std::size_t task, std::int64_t x, std::int64_t now) const {
    PlainPlan best{task, x, known_.earliest(task, x, now)};
    for (std::int64_t d = 1; d <= rules_.distance; ++d) {
      for (const std::int64_t m : {x - d, x + d}) {
        if (m < 0 || m >= end_for(task)) continue;
        if (const std::int64_t start = known_.earliest(task, m, now); start < best.start)
          best = {task, m, start};
      }
    }
    return best;
  }

  [[nodiscard]] PlainPlan choose(std::size_t task, std::int64_t now) const {
    const std::int64_t size = size_for(task);
    std::int64_t x = of(size)[static_cast<std::size_t>(part_of(task, used_of_.at(size)))];
    if (rules_.kind == TargetKind::packed) x = rules_.pack * (x / rules_.pack);
    const PlainPlan near = best_near(task, x, now);
    if (rules_.kind != TargetKind::stretch && near.start == now) return near;
    PlainPlan waits{task, x, known_.earliest(task, x, now)};
    if (rules_.kind == TargetKind::packed) {
      for (std::int64_t m = x + 1; m < std::min(x + rules_.pack, end_for(task)); ++m) {
        if (const std::int64_t start = known_.earliest(task, m, now); start < waits.start)
          waits = {task, m, start};
      }
    }
    const bool may_wait = (waits.start == now && rules_.kind == TargetKind::stretch) ||
                          known_.stretch(task, waits.start) <= largest_stretch_;
    return may_wait ? waits : best_near(task, waits.machine, now);
  }

  void allocate(std::size_t task, std::int64_t now) {
    if (alive_of(size_for(task)) == 0) return unplanned_.push_back(task);
    const PlainPlan plan = choose(task, now);
    if (plan.start > now) return known_.plans.push_back(plan);
    cluster_.start(task, plan.machine, now);
  }

  void reallocate(std::span<const std::size_t> killed, std::int64_t now) {
    const std::vector<std::size_t> backlog = known_.drop(killed, unplanned_);
    for (const std::size_t task : backlog) allocate(task, now);
  }

  [[nodiscard]] double use(std::int64_t size) const {
    double sum = 0;
    const std::int64_t used = used_of_.at(size);
    const std::vector<std::int64_t> machines = of(size);
    for (std::int64_t i = 0; i < used; ++i) {
      const std::int64_t m = machines[static_cast<std::size_t>(i)];
      sum += has_plan(m) ? 1
                         : 1 - static_cast<double>(cluster_.free(m)) /
                                   static_cast<double>(known_.size_of(m));
    }
    return sum / static_cast<double>(used);
  }

  void update_use() {
    for (const auto& [size, used] : used_of_) update_use(size);
  }
  void update_use(std::int64_t size) {
    const std::int64_t alive = alive_of(size);
    std::int64_t& used = used_of_.at(size);
    used = std::min(used, alive);
    if (used == 0) return;
    if (use(size) > rules_.grow_above) {
      while (used < alive && use(size) > rules_.grow_above) ++used;
    } else {
      while (used > std::min(least_of(size), alive) && use(size) < rules_.shrink_below) --used;
    }
  }

  std::map<std::int64_t, std::int64_t>
      used_of_;  // by size: M_use of the machines at least so large
};

}  // namespace holdfast::capacity::testing
