#pragma once

#include "holdfast/domains/capacity/strategy.hpp"

#include <vector>

namespace holdfast::capacity {

/// Starts each job on the machine and at the time that the instance lists. If that is impossible (machine off, no space), the
/// job waits for its next entry, if there is one. This strategy replays schedules of proofs and of other tools.
class AsGiven final : public Strategy {
 public:
  explicit AsGiven(ClusterState& cluster);

  void on_end(const ClusterState::Ended&, std::int64_t) override {}
  void on_added(std::span<const std::int64_t>, std::int64_t, std::int64_t) override {}
  void on_removed(std::span<const std::int64_t>, std::span<const std::size_t> killed,
                  std::int64_t) override {
    waiting_ += static_cast<std::int64_t>(killed.size());
  }
  std::int64_t next_planned() override {
    return next_ < lines_.size() ? lines_[next_].start : kNever;
  }
  void start_planned(std::int64_t now) override;
  void on_arrival(std::size_t, std::int64_t now) override;
  std::int64_t waiting() const override { return waiting_; }

 private:
  struct Line {
    std::int64_t start;
    std::size_t task;
    std::int64_t machine;
  };
  ClusterState& cluster_;
  std::vector<Line> lines_;
  std::size_t next_ = 0;
  std::int64_t waiting_ = 0;
  std::vector<char> arrived_;
};

}  // namespace holdfast::capacity
