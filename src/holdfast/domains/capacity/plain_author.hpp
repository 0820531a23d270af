#pragma once

#include "holdfast/domains/capacity/plain_target.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace holdfast::capacity::testing {

/// The target policies as in the author's program, without any optimisation.
class PlainAuthorTarget final : public PlainPolicy {
 public:
  PlainAuthorTarget(ClusterState& cluster, TargetRules rules)
      : PlainPolicy{cluster, rules}, shown_(machines(), 0), marks_(machines(), 0) {}

  void on_end(const ClusterState::Ended& ended, std::int64_t now) override {
    show(ended.machine, now);
    update_use();
  }
  void on_added(std::span<const std::int64_t>, std::int64_t before, std::int64_t now) override {
    if (before == 0) {
      used_ = std::min(least(), cluster_.alive_count());
      return reallocate({}, now);
    }
    update_use();
    reallocate({}, now);
    release_marks();
  }
  void on_removed(std::span<const std::int64_t>, std::span<const std::size_t> killed,
                  std::int64_t now) override {
    used_ = std::min(used_, cluster_.alive_count());
    reallocate(killed, now);
    if (cluster_.alive_count() > 0) release_marks();
  }
  void start_planned(std::int64_t now) override {
    std::vector<PlainPlan> due;
    for (const PlainPlan& plan : known_.plans) {
      if (plan.start == now) due.push_back(plan);
    }
    std::sort(due.begin(), due.end(), [](const PlainPlan& a, const PlainPlan& b) {
      return std::tuple(a.machine, a.task) < std::tuple(b.machine, b.task);
    });
    for (const PlainPlan& plan : due) {
      std::erase_if(known_.plans, [&](const PlainPlan& p) { return p.task == plan.task; });
      cluster_.start(plan.task, plan.machine, now);
      // A plan for this instant counts as running already.
      show(plan.machine, now);
      update_use();
    }
  }
  void on_arrival(std::size_t task, std::int64_t now) override {
    if (cluster_.alive_count() == 0) return unplanned_.push_back(task);
    if (cluster_.task(task).is_carried_in()) return carry_in(task, now);
    const PlainPlan plan = choose(task, now);
    place(plan, now);
    if (plan.start == now) update_use();
  }
  std::int64_t dropped() const override { return dropped_; }

 private:
  [[nodiscard]] std::size_t machines() const {
    return static_cast<std::size_t>(cluster_.instance().machines);
  }
  [[nodiscard]] std::int64_t target_of(std::size_t task) const {
    if (rules_.kind != TargetKind::packed) return part_of(task, used_);
    return rules_.pack * part_of(task, std::max<std::int64_t>(1, used_ / rules_.pack));
  }

  [[nodiscard]] PlainPlan choose(std::size_t task, std::int64_t now) const {
    const double limit = rules_.kind == TargetKind::stretch ? largest_stretch_ : 1;
    const std::int64_t x = target_of(task);
    std::vector<std::int64_t> order = {x};
    for (std::int64_t d = 1; d <= rules_.distance; ++d) {
      for (const std::int64_t m : {x + d, x - d}) {
        if (m >= 0 && m < used_) order.push_back(m);
      }
    }
    std::vector<PlainPlan> tried;
    for (const std::int64_t m : order) {
      tried.push_back({task, m, known_.earliest(task, m, now)});
      const bool is_empty = cluster_.running(m).empty() && !has_plan(m);
      if (is_empty || known_.stretch(task, tried.back().start) <= limit) return tried.back();
    }
    return *std::min_element(tried.begin(), tried.end(),
                             [x](const PlainPlan& a, const PlainPlan& b) {
                               return std::tuple(a.start, a.machine != x, a.machine) <
                                      std::tuple(b.start, b.machine != x, b.machine);
                             });
  }

  void place(const PlainPlan& plan, std::int64_t now) {
    largest_stretch_ = std::max(largest_stretch_, known_.stretch(plan.task, plan.start));
    if (plan.start > now) return known_.plans.push_back(plan);
    cluster_.start(plan.task, plan.machine, now);
    show(plan.machine, now);
  }

  void carry_in(std::size_t task, std::int64_t now) {
    for (std::int64_t m = 0; m < used_; ++m) {
      if (known_.earliest(task, m, now) > now) continue;
      place({task, m, now}, now);
      return update_use();
    }
    ++dropped_;
    ++marks_[0];
  }

  void reallocate(std::span<const std::size_t> killed, std::int64_t now) {
    const std::vector<std::size_t> backlog = known_.drop(killed, unplanned_);
    std::fill(marks_.begin(), marks_.end(), 0);
    for (const std::size_t task : backlog) {
      if (cluster_.alive_count() == 0) {
        unplanned_.push_back(task);
      } else {
        place(choose(task, now), now);
      }
    }
    for (std::size_t m = 0; m < machines(); ++m) show(static_cast<std::int64_t>(m), now);
  }

  // Updates the busy cores as of the last event of the machine.
  void show(std::int64_t machine, std::int64_t now) {
    std::int64_t busy = 0;
    for (const ClusterState::Running& run : cluster_.running(machine)) {
      if (run.end > now) busy += cluster_.task(run.task).cores;
    }
    for (const PlainPlan& plan : known_.plans) {
      if (plan.machine == machine && plan.start <= now) busy += cluster_.task(plan.task).cores;
    }
    shown_[static_cast<std::size_t>(machine)] = busy;
  }

  // Returns -1, 0 or +1: how M_use should change.
  [[nodiscard]] int tendency() const {
    double sum = 0;
    for (std::int64_t m = 0; m < used_; ++m) {
      const auto at = static_cast<std::size_t>(m);
      const bool is_full = has_plan(m) || marks_[at] > 0;
      sum += is_full
                 ? 1
                 : static_cast<double>(shown_[at]) / static_cast<double>(cluster_.instance().cores);
    }
    const double use = sum / static_cast<double>(used_);
    if (use < rules_.shrink_below && used_ > least()) return -1;
    return use > rules_.grow_above && used_ < cluster_.alive_count() ? 1 : 0;
  }

  // Updates M_use. The loop stops at a bound, and where it would reverse its direction.
  void update_use() {
    int before = 0;
    for (int step = tendency(); step != 0 && step != -before; step = tendency()) {
      used_ += step;
      before = step;
      if (used_ == (step < 0 ? least() : cluster_.alive_count())) return;
    }
  }

  void release_marks() {
    for (std::size_t m = 0; m < machines(); ++m) {
      marks_[m] = static_cast<std::int64_t>(cluster_.running(static_cast<std::int64_t>(m)).size());
    }
    update_use();
    for (std::int64_t& left : marks_) {
      while (left > 0) {
        --left;
        update_use();
      }
    }
  }

  std::vector<std::int64_t> shown_;
  std::vector<std::int64_t> marks_;
  std::int64_t dropped_ = 0;
};

}  // namespace holdfast::capacity::testing
