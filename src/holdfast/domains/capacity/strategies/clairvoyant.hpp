#pragma once

#include "holdfast/domains/capacity/strategies/queue_scan.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// First fit that knows when each machine goes off, and starts no job that would be killed: it starts one only where it
/// ends before, or where its machine stays on until the window's end. What knowing the future is worth to a rule as simple
/// as first fit; no bound, since another order may do more.
class Clairvoyant final : public QueueScan {
 public:
  explicit Clairvoyant(Room& room);

  void open(std::int64_t now) override;

 private:
  [[nodiscard]] bool may_start(std::size_t task, std::int64_t machine,
                               std::int64_t now) const override;
  void added(std::span<const std::int64_t> machines, std::int64_t now) override;
  [[nodiscard]] std::int64_t off_after(std::int64_t machine, std::int64_t now) const;

  std::vector<std::int64_t>
      off_;  // when each machine goes off; kNever: not before the window's end
};

}  // namespace holdfast::capacity
