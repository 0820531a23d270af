#pragma once

#include "holdfast/domains/capacity/strategies/announcements.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace holdfast::capacity {

/// First fit that drains machines: the queue of jobs, in order of release, is scanned at every instant at which something
/// changed, and no job is started that an announced shutdown would kill. If all shutdowns are known, this is `clairvoyant`. It
/// shows what knowing the future is worth to a rule as simple as first fit, but it is not a bound, because another order may do
/// better. If none are announced, this is first fit. Cost: O(waiting jobs) per instant, and O(machines) for each job that fits
/// on some machine.
class QueueScan : public Strategy {
 public:
  /// @param notice  how long in advance a shutdown is known, seconds; kNever: always
  QueueScan(ClusterState& cluster, std::int64_t notice, NoticeErrors errors = {})
      : known_{cluster.instance(), notice, std::move(errors)}, cluster_{cluster} {}

  void open(std::int64_t now) override {
    scanned_ = now;
    known_.open(now);
  }
  /// A job that waits because of a false alarm is looked at again when nothing happened.
  std::int64_t next_planned() override {
    return queue_.empty() ? kNever : known_.next_false(scanned_);
  }
  void on_end(const ClusterState::Ended&, std::int64_t) override {}
  void on_added(std::span<const std::int64_t> machines, std::int64_t, std::int64_t now) override {
    known_.added(machines, now);
  }
  void on_removed(std::span<const std::int64_t> machines, std::span<const std::size_t> killed,
                  std::int64_t now) override;
  void before_arrivals(bool has_ends, std::int64_t now) override;
  void on_arrival(std::size_t task, std::int64_t now) override;
  void enqueue(std::size_t task) override { queue_.push_back(task); }
  Answer answer(std::size_t task, std::int64_t now) override;
  std::int64_t waiting() const override { return static_cast<std::int64_t>(queue_.size()); }

 protected:
  [[nodiscard]] const ClusterState& cluster() const { return cluster_; }
  /// Called before the queue is scanned.
  virtual void begin_scan() {}
  /// Returns true if the task may start now on a machine that is alive and has the cores.
  [[nodiscard]] virtual bool may_start(std::size_t task, std::int64_t machine,
                                       std::int64_t now) const {
    return known_.spares(machine, now, cluster_.next_length(task), now);
  }
  /// Called for a task that did not start.
  virtual void waits(std::size_t /*task*/, std::int64_t /*now*/) {}
  /// Called for a task that started.
  virtual void started(std::size_t /*task*/, std::int64_t /*machine*/, std::int64_t /*now*/) {}

  Announcements known_;

 private:
  [[nodiscard]] std::optional<std::int64_t> machine_for(std::size_t task, std::int64_t now) const;
  [[nodiscard]] std::int64_t largest_free() const;
  void scan(std::int64_t now);

  ClusterState& cluster_;
  std::int64_t scanned_ = 0;
  std::vector<std::size_t> queue_;  // ascending, because tasks are numbered by release
};

}  // namespace holdfast::capacity
