#pragma once

#include "holdfast/domains/capacity/strategies/queue_scan.hpp"

#include <cstdint>

namespace holdfast::capacity {

/// EASY backfilling. The first waiting job has a reservation on the machine where, according to the lengths of the running
/// jobs, it can start first. A later job overtakes it only if that start is not delayed. Machines drain for announced
/// shutdowns: no job is started, or gets a reservation, that a shutdown would kill.
/// Source: Lifka, The ANL/IBM SP scheduling system, 1995, with machines where the paper has nodes.
class Easy final : public QueueScan {
 public:
  using QueueScan::QueueScan;

 private:
  void begin_scan() override { machine_ = kNone; }
  void waits(std::size_t task, std::int64_t now) override;
  [[nodiscard]] bool may_start(std::size_t task, std::int64_t machine,
                               std::int64_t now) const override;
  void started(std::size_t task, std::int64_t machine, std::int64_t now) override;

  static constexpr std::int64_t kNone = -1;
  std::int64_t machine_ = kNone;  // machine on which the first waiting job has its reservation
  std::int64_t start_ = 0;        // start of that reservation
  std::int64_t spare_ = 0;        // cores that are left there from then on
};

}  // namespace holdfast::capacity
