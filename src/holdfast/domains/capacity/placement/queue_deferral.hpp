#pragma once

#include "holdfast/domains/capacity/placement/deferral.hpp"
#include "holdfast/domains/capacity/placement/queue.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// Deferral with a queue for each machine. A job is deferred once it is certain that it will wait for its target: even the
/// latest start that it could get there keeps its stretch within the limit. The limit only rises, so this stays true.
class QueueDeferral final : public Deferral {
 public:
  explicit QueueDeferral(Board& board);

  void clear() override;
  std::size_t set_aside(std::span<const std::size_t> backlog, const Scale& scale, double limit,
                        std::int64_t now) override;
  bool surely_starts_by(std::int64_t latest, const PlacementRequest& request, std::int64_t target,
                        std::int64_t now) override {
    return surely_starts_on(target, latest, request.cores, now);
  }
  void put_off(const PlacementRequest& request, std::int64_t target, std::int64_t now) override;
  [[nodiscard]] bool is_settled(const Slot& slot, std::int64_t now) override;
  void disturb(std::int64_t machine) override { queue_of(machine).forget_end(); }
  void plan_to_horizon(std::int64_t now) override;

 private:
  [[nodiscard]] Queue& queue_of(std::int64_t machine) {
    return queues_[static_cast<std::size_t>(machine)];
  }
  [[nodiscard]] bool surely_starts_on(std::int64_t machine, std::int64_t latest, std::int64_t cores,
                                      std::int64_t now) {
    Queue& queue = queue_of(machine);
    if (!queue.has_end()) queue.set_end(board_.starts.of(machine).end_of(board_.widest, now));
    const std::int64_t time = latest - kRounding;
    return now <= time && queue.surely_starts_by(time, cores, board_.room.instance().cores);
  }
  void push(const PlacementRequest& request, std::int64_t machine, std::int64_t wake) {
    queue_of(machine).push({request.length, request.task, request.cores, request.place}, wake);
    board_.machines.add_plan(machine);
    wake_ = std::min(wake_, wake);
  }
  void plan_until(std::int64_t machine, std::size_t until, std::int64_t now);
  bool settle(std::int64_t machine, std::size_t until, std::int64_t time, const Slot* asked,
              std::int64_t now);
  [[nodiscard]] bool is_settled_before(std::size_t at, const Slot& slot, std::int64_t now);

  std::vector<Queue> queues_;  // by machine
};

}  // namespace holdfast::capacity
