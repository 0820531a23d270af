#include "holdfast/domains/capacity/strategies/queue_scan.hpp"

#include <algorithm>

namespace holdfast::capacity {

void QueueScan::on_removed(std::span<const std::int64_t>, std::span<const std::size_t> killed,
                           std::int64_t) {
  queue_.insert(queue_.end(), killed.begin(), killed.end());
  std::sort(queue_.begin(), queue_.end());
}

void QueueScan::before_arrivals(bool, std::int64_t now) {
  scanned_ = now;
  scan(now);
}

void QueueScan::on_arrival(std::size_t task, std::int64_t now) {
  queue_.push_back(task);
  scan(now);
}

Strategy::Answer QueueScan::answer(std::size_t task, std::int64_t now) {
  begin_scan();
  const auto machine = machine_for(task, now);
  if (!machine) return {};
  return {.target = {}, .machine = machine, .start = now};
}

std::int64_t QueueScan::largest_free() const {
  std::int64_t out = 0;
  for (std::int64_t machine = 0; machine < cluster_.instance().machines; ++machine) {
    if (cluster_.is_alive(machine)) out = std::max(out, cluster_.free(machine));
  }
  return out;
}

std::optional<std::int64_t> QueueScan::machine_for(std::size_t task, std::int64_t now) const {
  for (std::int64_t machine = 0; machine < cluster_.instance().machines; ++machine) {
    if (!cluster_.is_alive(machine) || cluster_.free(machine) < cluster_.task(task).cores) continue;
    if (may_start(task, machine, now)) return machine;
  }
  return std::nullopt;
}

void QueueScan::scan(std::int64_t now) {
  if (queue_.empty()) return;
  begin_scan();
  std::int64_t most = largest_free();
  std::size_t kept = 0;
  for (const std::size_t task : queue_) {
    const auto machine = cluster_.task(task).cores <= most ? machine_for(task, now) : std::nullopt;
    if (!machine) {
      queue_[kept++] = task;
      waits(task, now);
      continue;
    }
    cluster_.start(task, *machine, now);
    started(task, *machine, now);
    most = largest_free();
  }
  queue_.resize(kept);
}

}  // namespace holdfast::capacity
