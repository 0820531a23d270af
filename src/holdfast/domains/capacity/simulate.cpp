#include "holdfast/domains/capacity/simulate.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::capacity {
namespace {

class Simulation {
 public:
  Simulation(const Instance& instance, std::span<const Task> tasks, const StrategyMaker& maker,
             std::vector<Execution>* log)
      : instance_{instance},
        tasks_{tasks},
        cluster_{instance, tasks, log},
        strategy_{maker(cluster_)} {
    const auto first = std::ranges::upper_bound(instance.alive, instance.begin, {}, &Step::time);
    next_step_ = static_cast<std::size_t>(first - instance.alive.begin());
    for (std::int64_t k = 0; k < instance.alive_at(instance.begin); ++k) {
      cluster_.set_alive(strategy_->ranked(k), true);
    }
    strategy_->open(instance.begin);
  }

  Metrics run(Stop stop) {
    const bool is_author = instance_.profile == Profile::author;
    for (std::int64_t now = next_time(); now < instance_.end; now = next_time()) {
      if (stop.wanted()) break;
      if (is_author) strategy_->start_planned(now);
      const bool has_ends = end_runs(now);
      change_capacity(now);
      return_held(now);
      if (!is_author && strategy_->next_planned() == now) strategy_->start_planned(now);
      strategy_->before_arrivals(has_ends, now);
      while (next_arrival() == now) strategy_->on_arrival(arrived_++, now);
    }
    while (cluster_.next_end() == instance_.end) cluster_.end_one(instance_.end);
    if (is_author) change_capacity(instance_.end);
    const auto held = static_cast<std::int64_t>(held_.size() - returned_);
    return cluster_.close(strategy_->waiting() + held, strategy_->dropped());
  }

 private:
  [[nodiscard]] std::int64_t next_arrival() const {
    return arrived_ < tasks_.size() ? tasks_[arrived_].arrival : kNever;
  }
  [[nodiscard]] std::int64_t next_change() const {
    return next_step_ < instance_.alive.size() ? instance_.alive[next_step_].time : kNever;
  }
  [[nodiscard]] std::int64_t next_return() const {
    return returned_ < held_.size() ? held_[returned_].second : kNever;
  }
  std::int64_t next_time() {
    return std::min({cluster_.next_end(), next_change(), strategy_->next_planned(), next_arrival(),
                     next_return()});
  }

  // The killed jobs whose delay is over wait again, as if they had been killed now.
  void return_held(std::int64_t now) {
    if (next_return() != now) return;
    killed_.clear();
    while (next_return() == now) killed_.push_back(held_[returned_++].first);
    strategy_->on_removed({}, killed_, now);
  }

  bool end_runs(std::int64_t now) {
    if (cluster_.next_end() != now) return false;
    while (cluster_.next_end() == now) strategy_->on_end(cluster_.end_one(now), now);
    find_changed(now);
    const bool shrinks =
        next_change() == now && instance_.alive[next_step_].machines < cluster_.alive_count();
    strategy_->after_ends(
        shrinks ? std::span<const std::int64_t>(changed_) : std::span<const std::int64_t>(), now);
    return true;
  }

  // The machines that come on or go off at this instant, ascending.
  void find_changed(std::int64_t now) {
    changed_.clear();
    if (next_change() != now) return;
    const std::int64_t before = cluster_.alive_count();
    const std::int64_t after = instance_.alive[next_step_].machines;
    for (std::int64_t k = std::min(before, after); k < std::max(before, after); ++k) {
      changed_.push_back(strategy_->ranked(k));
    }
    std::sort(changed_.begin(), changed_.end());
  }

  void change_capacity(std::int64_t now) {
    if (next_change() != now) return;
    find_changed(now);
    const std::int64_t before = cluster_.alive_count();
    const std::int64_t after = instance_.alive[next_step_++].machines;
    if (after > before) {
      for (const std::int64_t machine : changed_) cluster_.set_alive(machine, true);
      strategy_->on_added(changed_, before, now);
    } else if (after < before) {
      killed_.clear();
      for (const std::int64_t machine : changed_) {
        cluster_.kill_all(machine, now, killed_);
        cluster_.set_alive(machine, false);
      }
      if (instance_.requeue_delay > 0) {
        for (const std::size_t task : killed_) {
          held_.emplace_back(task, now + instance_.requeue_delay);
        }
        killed_.clear();
      }
      strategy_->on_removed(changed_, killed_, now);
    }
  }

  const Instance& instance_;
  std::span<const Task> tasks_;
  ClusterState cluster_;
  std::unique_ptr<Strategy> strategy_;
  std::size_t next_step_ = 0;
  std::size_t arrived_ = 0;
  std::vector<std::pair<std::size_t, std::int64_t>> held_;  // killed tasks, and their return
  std::size_t returned_ = 0;                                // how many of them wait again
  std::vector<std::int64_t> changed_;
  std::vector<std::size_t> killed_;
};

}  // namespace

std::vector<std::int64_t> ranks_of(const StrategyMaker& maker, const Instance& instance,
                                   std::span<const Task> tasks) {
  ClusterState cluster(instance, tasks, nullptr);
  const std::unique_ptr<Strategy> strategy = maker(cluster);
  std::vector<std::int64_t> out(static_cast<std::size_t>(instance.machines), 0);
  for (std::int64_t rank = 0; rank < instance.machines; ++rank) {
    out[static_cast<std::size_t>(strategy->ranked(rank))] = rank;
  }
  return out;
}

Metrics simulate(const Instance& instance, std::span<const Task> tasks, const StrategyMaker& maker,
                 std::vector<Execution>* log, Stop stop) {
  return Simulation(instance, tasks, maker, log).run(stop);
}

}  // namespace holdfast::capacity
