#pragma once

#include "holdfast/domains/capacity/cluster_state.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// A strategy that decides which machine gets which job. It sees the cluster (what runs where, which machines are alive) and the
/// jobs that have arrived, but neither the future capacity nor later arrivals. It is called whenever something can be decided,
/// in the order that simulate() documents, and starts jobs through ClusterState::start().
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Returns the machine of risk rank k; machines that are switched on first have the lowest ranks.
  [[nodiscard]] virtual std::int64_t ranked(std::int64_t rank) const { return rank; }
  /// Called when the window begins, with its machines on.
  virtual void open(std::int64_t /*now*/) {}
  /// Called when a run has ended.
  virtual void on_end(const ClusterState::Ended& ended, std::int64_t now) = 0;
  /// Called when all runs of this instant have ended. The `dying` machines go off at the same instant, so no run should start
  /// there.
  virtual void after_ends(std::span<const std::int64_t> /*dying*/, std::int64_t /*now*/) {}
  /// Called when machines have come on; `before` machines were on until then.
  virtual void on_added(std::span<const std::int64_t> machines, std::int64_t before,
                        std::int64_t now) = 0;
  /// Called when machines have gone off; `killed` are the tasks whose runs ended with them.
  virtual void on_removed(std::span<const std::int64_t> machines,
                          std::span<const std::size_t> killed, std::int64_t now) = 0;
  /// Returns the time of the next planned start, or kNever.
  [[nodiscard]] virtual std::int64_t next_planned() { return kNever; }
  /// Starts the tasks that are planned for this instant.
  virtual void start_planned(std::int64_t /*now*/) {}
  /// Called when everything at this instant that precedes arrivals is done; `has_ends` is true if a run has ended.
  virtual void before_arrivals(bool /*has_ends*/, std::int64_t /*now*/) {}
  /// Called when a task arrives.
  virtual void on_arrival(std::size_t task, std::int64_t now) = 0;
  /// Returns the number of tasks that have arrived but are neither running nor done.
  [[nodiscard]] virtual std::int64_t waiting() const = 0;
  /// Returns the number of tasks that were given up.
  [[nodiscard]] virtual std::int64_t dropped() const { return 0; }

  /// What a strategy remembers from one decision to the next, beside what runs and what is planned.
  struct Memory {
    std::int64_t used = 0;       ///< M_use; 0: a strategy without such a number
    double largest_stretch = 1;  ///< S+
  };
  /// Takes over a live state instead of open(): all starts of plans are known from now on.
  virtual void resume(std::int64_t now, const Memory& /*memory*/) { open(now); }
  /// Takes over a task that waits in a live state without a plan. Tasks come in ascending order.
  virtual void enqueue(std::size_t /*task*/) {}
  /// Takes over a task that waits in a live state for a machine, which is alive and wide enough. Its start is the earliest one
  /// from `from` on that the plans taken over before leave. Tasks come in ascending order.
  virtual void add_plan(std::size_t task, std::int64_t /*machine*/, std::int64_t /*from*/) {
    enqueue(task);
  }
  /// Drops the plans on machines of a live state on which the runs are others now.
  virtual void forget(std::span<const std::int64_t> /*machines*/, std::int64_t /*now*/) {}
  /// Reads a task of a live state again, which has changed.
  virtual void renew(std::size_t /*task*/) {}
  /// Returns what it remembers.
  [[nodiscard]] virtual Memory memory() const { return {}; }
  /// A planned start.
  struct Plan {
    std::size_t task = 0;
    std::int64_t machine = 0;
    std::int64_t start = 0;  ///< seconds
  };
  /// Returns true if it plans starts in the future, on a machine for each waiting job.
  [[nodiscard]] virtual bool plans_ahead() const { return false; }
  /// Returns the planned starts after resume(), in any order; empty for a strategy without plans.
  [[nodiscard]] virtual std::vector<Plan> plans() const { return {}; }
  /// A decision about one job.
  struct Answer {
    /// Machine for the job's category, if the strategy has one.
    std::optional<std::int64_t> target;
    std::optional<std::int64_t> machine;  ///< machine on which it starts; absent if the job waits
    std::optional<std::int64_t> start;    ///< seconds
  };
  /// Returns where the job would go now, without placing it.
  [[nodiscard]] virtual Answer answer(std::size_t /*task*/, std::int64_t /*now*/) { return {}; }
};

}  // namespace holdfast::capacity
