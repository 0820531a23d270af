#pragma once

#include "holdfast/domains/capacity/placement/target_rules.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
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
      std::int64_t free = cluster.instance().cores - cluster.task(task).cores;
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

/// The policies of Perotin's thesis, sections 4.5.3 to 4.5.5.
class PlainTarget final : public PlainPolicy {
 public:
  using PlainPolicy::PlainPolicy;

  void on_end(const ClusterState::Ended& ended, std::int64_t now) override {
    const Task& task = cluster_.task(ended.task);
    largest_stretch_ = std::max(largest_stretch_, static_cast<double>(now - task.release) /
                                                      static_cast<double>(task.length));
  }
  void on_added(std::span<const std::int64_t>, std::int64_t before, std::int64_t now) override {
    if (before == 0) {
      used_ = std::min(least(), cluster_.alive_count());
    } else if (used_ == before && use() > rules_.grow_above) {
      update_use();
    } else {
      return;
    }
    reallocate({}, now);
  }
  void on_removed(std::span<const std::int64_t>, std::span<const std::size_t> killed,
                  std::int64_t now) override {
    used_ = std::min(used_, cluster_.alive_count());
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
  // Returns the smallest first start within the distance; ties go to the nearest machine, then to the lower one.
  [[nodiscard]] PlainPlan best_near(std::size_t task, std::int64_t x, std::int64_t now) const {
    PlainPlan best{task, x, known_.earliest(task, x, now)};
    for (std::int64_t d = 1; d <= rules_.distance; ++d) {
      for (const std::int64_t m : {x - d, x + d}) {
        if (m < 0 || m >= used_) continue;
        if (const std::int64_t start = known_.earliest(task, m, now); start < best.start)
          best = {task, m, start};
      }
    }
    return best;
  }

  [[nodiscard]] PlainPlan choose(std::size_t task, std::int64_t now) const {
    std::int64_t x = part_of(task, used_);
    if (rules_.kind == TargetKind::packed) x = rules_.pack * (x / rules_.pack);
    const PlainPlan near = best_near(task, x, now);
    if (rules_.kind != TargetKind::stretch && near.start == now) return near;
    PlainPlan waits{task, x, known_.earliest(task, x, now)};
    if (rules_.kind == TargetKind::packed) {
      for (std::int64_t m = x + 1; m < std::min(x + rules_.pack, used_); ++m) {
        if (const std::int64_t start = known_.earliest(task, m, now); start < waits.start)
          waits = {task, m, start};
      }
    }
    const bool may_wait = (waits.start == now && rules_.kind == TargetKind::stretch) ||
                          known_.stretch(task, waits.start) <= largest_stretch_;
    return may_wait ? waits : best_near(task, waits.machine, now);
  }

  void allocate(std::size_t task, std::int64_t now) {
    if (cluster_.alive_count() == 0) return unplanned_.push_back(task);
    const PlainPlan plan = choose(task, now);
    if (plan.start > now) return known_.plans.push_back(plan);
    cluster_.start(task, plan.machine, now);
  }

  void reallocate(std::span<const std::size_t> killed, std::int64_t now) {
    const std::vector<std::size_t> backlog = known_.drop(killed, unplanned_);
    for (const std::size_t task : backlog) allocate(task, now);
  }

  [[nodiscard]] double use() const {
    double sum = 0;
    for (std::int64_t m = 0; m < used_; ++m) {
      sum += has_plan(m) ? 1
                         : 1 - static_cast<double>(cluster_.free(m)) /
                                   static_cast<double>(cluster_.instance().cores);
    }
    return sum / static_cast<double>(used_);
  }

  void update_use() {
    const std::int64_t alive = cluster_.alive_count();
    used_ = std::min(used_, alive);
    if (used_ == 0) return;
    if (use() > rules_.grow_above) {
      while (used_ < alive && use() > rules_.grow_above) ++used_;
    } else {
      while (used_ > std::min(least(), alive) && use() < rules_.shrink_below) --used_;
    }
  }
};

}  // namespace holdfast::capacity::testing
