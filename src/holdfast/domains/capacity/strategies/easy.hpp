#pragma once

#include "holdfast/domains/capacity/strategies/announcements.hpp"
#include "holdfast/domains/capacity/strategies/queue_scan.hpp"

#include <cstdint>
#include <span>

namespace holdfast::capacity {

/// EASY backfilling: the first job that waits has a reservation on the machine where, by the lengths of what runs there, it
/// can start first; a later job overtakes it only where that start is not put off. Machines drain as far as shutdowns have been
/// announced: no job is started, and none gets a reservation, that would be killed by one.
/// Source: Lifka, The ANL/IBM SP scheduling system, 1995, on machines in place of nodes.
class Easy final : public QueueScan {
 public:
  /// @param notice  how long before a machine goes off that is known; 0: never
  Easy(Room& room, std::int64_t notice) : QueueScan(room), known_{room.instance(), notice} {}

  void open(std::int64_t now) override { known_.open(now); }

 private:
  void begin_scan() override { machine_ = kNone; }
  void waits(std::size_t task, std::int64_t now) override;
  [[nodiscard]] bool may_start(std::size_t task, std::int64_t machine,
                               std::int64_t now) const override;
  void started(std::size_t task, std::int64_t machine, std::int64_t now) override;
  void added(std::span<const std::int64_t> machines, std::int64_t now) override {
    known_.added(machines, now);
  }

  static constexpr std::int64_t kNone = -1;
  Announcements known_;
  std::int64_t machine_ = kNone;  // on which the first job that waits has its reservation
  std::int64_t start_ = 0;        // when it can start there
  std::int64_t spare_ = 0;        // cores that are left there from then on
};

}  // namespace holdfast::capacity
