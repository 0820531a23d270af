#pragma once

#include "holdfast/domains/capacity/strategies/announcements.hpp"
#include "holdfast/domains/capacity/strategies/queue_scan.hpp"

#include <cstdint>
#include <span>

namespace holdfast::capacity {

/// First fit that drains machines: it does not start a job that an announced shutdown would kill. If all shutdowns are known,
/// it is `clairvoyant`, which shows what knowledge of the future is worth to a rule as simple as first fit. It is not a bound,
/// because another order may do more. Without announcements it is first fit.
class Drain final : public QueueScan {
 public:
  /// @param notice  how long in advance a shutdown is known, seconds; kNever: always
  Drain(Room& room, std::int64_t notice) : QueueScan(room), known_{room.instance(), notice} {}

  void open(std::int64_t now) override { known_.open(now); }

 private:
  [[nodiscard]] bool may_start(std::size_t task, std::int64_t machine,
                               std::int64_t now) const override {
    return known_.spares(machine, now, room().next_length(task), now);
  }
  void added(std::span<const std::int64_t> machines, std::int64_t now) override {
    known_.added(machines, now);
  }

  Announcements known_;
};

}  // namespace holdfast::capacity
