#pragma once

#include "holdfast/domains/capacity/strategies/queue_scan.hpp"
#include "holdfast/domains/capacity/tariff.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace holdfast::capacity {

/// First fit that leaves dear hours unused: jobs start only while a machine-hour costs at most the limit. What runs then goes on.
/// It knows the rate in force and when it changes, as with prices of the day ahead, and nothing else of the future.
class UnderPrice final : public QueueScan {
 public:
  /// @param by_carbon  true: the rate is that of carbon, otherwise that of money
  UnderPrice(ClusterState& cluster, bool by_carbon, double limit)
      : QueueScan{cluster, cluster.instance().notice},
        rates_{by_carbon ? cluster.instance().carbon : cluster.instance().price},
        limit_{limit} {}

  void open(std::int64_t now) override {
    now_ = now;
    QueueScan::open(now);
  }
  void before_arrivals(bool has_ends, std::int64_t now) override {
    now_ = now;
    QueueScan::before_arrivals(has_ends, now);
  }
  std::int64_t next_planned() override {
    if (waiting() == 0) return kNever;
    const auto later = std::ranges::upper_bound(rates_, now_, {}, &Rate::time);
    const auto next = std::find_if(later, rates_.end(),
                                   [this](const Rate& rate) { return rate.per_hour <= limit_; });
    return next == rates_.end() ? kNever : next->time;
  }

 private:
  [[nodiscard]] bool may_start(std::size_t task, std::int64_t machine,
                               std::int64_t now) const override {
    return rate_at(rates_, now) <= limit_ && QueueScan::may_start(task, machine, now);
  }

  std::span<const Rate> rates_;
  double limit_;
  std::int64_t now_ = 0;
};

}  // namespace holdfast::capacity
