#pragma once

#include "holdfast/domains/capacity/strategy.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// A queue by release that is scanned at every instant at which something changed: first fit, restricted by a rule that allows
/// or forbids each start. Cost: O(waiting jobs) per instant, and O(machines) for each job that fits on some machine.
class QueueScan : public Strategy {
 public:
  explicit QueueScan(Room& room) : room_{room} {}

  void on_end(const Room::Ended&, std::int64_t) override {}
  void on_added(std::span<const std::int64_t> machines, std::int64_t before,
                std::int64_t now) override;
  void on_removed(std::span<const std::int64_t> machines, std::span<const std::size_t> killed,
                  std::int64_t now) override;
  void before_arrivals(bool has_ends, std::int64_t now) override;
  void on_arrival(std::size_t task, std::int64_t now) override;
  Answer answer(std::size_t task, std::int64_t now) override;
  std::int64_t waiting() const override { return static_cast<std::int64_t>(queue_.size()); }

 protected:
  [[nodiscard]] const Room& room() const { return room_; }
  /// Called before the queue is scanned.
  virtual void begin_scan() {}
  /// Returns true if the task may start now on a machine that is alive and has the cores.
  [[nodiscard]] virtual bool may_start(std::size_t task, std::int64_t machine,
                                       std::int64_t now) const = 0;
  /// Called for a task that did not start.
  virtual void waits(std::size_t /*task*/, std::int64_t /*now*/) {}
  /// Called for a task that started.
  virtual void started(std::size_t /*task*/, std::int64_t /*machine*/, std::int64_t /*now*/) {}
  /// Called when machines have come on.
  virtual void added(std::span<const std::int64_t> /*machines*/, std::int64_t /*now*/) {}

 private:
  [[nodiscard]] std::optional<std::int64_t> machine_for(std::size_t task, std::int64_t now) const;
  [[nodiscard]] std::int64_t largest_free() const;
  void scan(std::int64_t now);

  Room& room_;
  std::vector<std::size_t> queue_;  // ascending, because tasks are numbered by release
};

}  // namespace holdfast::capacity
