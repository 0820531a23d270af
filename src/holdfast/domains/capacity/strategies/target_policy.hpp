#pragma once

#include "holdfast/domains/capacity/placement/deferral.hpp"
#include "holdfast/domains/capacity/placement/placement_state.hpp"
#include "holdfast/domains/capacity/placement/search.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace holdfast::capacity {

/// The common part of the three risk-aware policies. The category of a job gives its target machine, with long jobs on safe
/// machines. A job may wait for its target, or go to a nearby machine. The number of machines in use follows the load. A change
/// of the capacity drops all plans, and the killed and waiting jobs are placed again in order of release.
/// Source: Perotin's thesis, sections 4.5.3 to 4.5.5.
class TargetPolicy : public Strategy {
 public:
  TargetPolicy(ClusterState& cluster, const TargetRules& rules);

  void open(std::int64_t now) override;
  void resume(std::int64_t now, const Memory& memory) override;
  void enqueue(std::size_t task) override { wait(task); }
  void add_plan(std::size_t task, std::int64_t machine, std::int64_t from) override;
  void forget(std::span<const std::int64_t> machines, std::int64_t now) override;
  void renew(std::size_t task) override { placement_.starts.renew(task); }
  bool plans_ahead() const override { return true; }
  Memory memory() const override { return {placement_.machines.count(), largest_stretch_}; }
  std::vector<Plan> plans() const override;
  Answer answer(std::size_t task, std::int64_t now) override;
  void on_end(const ClusterState::Ended& ended, std::int64_t now) override;
  void on_added(std::span<const std::int64_t> machines, std::int64_t before,
                std::int64_t now) override;
  void on_removed(std::span<const std::int64_t> machines, std::span<const std::size_t> killed,
                  std::int64_t now) override;
  std::int64_t next_planned() override {
    return std::min(deferral_.wake(), placement_.plans.next());
  }
  void start_planned(std::int64_t now) override;
  void before_arrivals(bool has_ends, std::int64_t now) override;
  void on_arrival(std::size_t task, std::int64_t now) override;
  std::int64_t waiting() const override { return waiting_; }
  std::int64_t dropped() const override { return dropped_; }

 protected:
  /// Returns the machine and the start of the job, by the text or by the rules of the author's program.
  [[nodiscard]] virtual Choice choose(const PlacementRequest& request, std::int64_t target,
                                      const Search& search) const = 0;
  /// Returns the map from categories to target machines, for the jobs of a level (MachinesInUse).
  [[nodiscard]] virtual Scale scale(std::size_t level) const;
  [[nodiscard]] double largest_stretch() const { return largest_stretch_; }

  PlacementState placement_;

 private:
  void begin(std::int64_t now, const Memory& memory);
  [[nodiscard]] std::int64_t target_of(const PlacementRequest& request) const {
    return scale(placement_.machines.level_of(request.cores)).target_of(request.category);
  }
  /// Returns true if some machine is on that is large enough.
  [[nodiscard]] bool has_machine_for(std::int64_t cores) const {
    return placement_.machines.alive(placement_.machines.level_of(cores)) > 0;
  }
  bool update_use(std::int64_t now) { return placement_.machines.update(now, deferral_); }
  void wait(std::size_t task);
  void leave(std::size_t task);  // the task starts, or is given up
  void place(const PlacementRequest& request, Choice choice, std::int64_t now);
  void carry_in(std::size_t task, std::int64_t now);
  void plan_due(std::int64_t now);
  void reallocate(std::span<const std::size_t> killed, std::int64_t now);
  void show(std::int64_t machine, std::int64_t now);

  Deferral deferral_;
  bool is_live_ = false;              // callers ask for the starts
  double largest_stretch_ = 1;        // S+
  std::vector<std::size_t> backlog_;  // tasks that wait, and some that no longer do; ascending
  std::vector<char> is_waiting_;      // by task: planned, deferred, or with no machine alive
  std::int64_t waiting_ = 0;
  std::int64_t dropped_ = 0;
};

/// Makes one of the three policies. Each has its own file: target_stretch.cpp, target_asap.cpp, packed_target_asap.cpp.
[[nodiscard]] std::unique_ptr<Strategy> make_target_stretch(ClusterState& cluster,
                                                            const TargetRules& rules);
[[nodiscard]] std::unique_ptr<Strategy> make_target_asap(ClusterState& cluster,
                                                         const TargetRules& rules);
[[nodiscard]] std::unique_ptr<Strategy> make_packed_target_asap(ClusterState& cluster,
                                                                const TargetRules& rules);
/// Returns the policy that `rules.kind` names.
[[nodiscard]] std::unique_ptr<Strategy> make_target_policy(ClusterState& cluster,
                                                           const TargetRules& rules);

/// Returns the result of the search in the author's program, which its three policies share: the nearest machine (of two, the
/// higher one first) that is empty or where the estimated stretch is accepted. Otherwise it is the machine with the smallest
/// earliest start among those tried; ties go to the target, then to the smaller number.
[[nodiscard]] Choice choose_as_author(const PlacementRequest& request, std::int64_t target,
                                      double accepted, const Search& search);

}  // namespace holdfast::capacity
