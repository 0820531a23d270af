#pragma once

#include "holdfast/domains/capacity/strategies/announcements.hpp"
#include "holdfast/domains/capacity/strategies/queue_scan.hpp"

#include <cstdint>
#include <span>

namespace holdfast::capacity {

/// First fit that drains machines: it starts no job that would be killed by a shutdown that has been announced. With all
/// shutdowns known it is `clairvoyant`: what knowing the future is worth to a rule as simple as first fit; no bound, since
/// another order may do more. With none announced it is first fit.
class Drain final : public QueueScan {
 public:
  /// @param notice  how long before a machine goes off that is known; kNever: always
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
