#include "holdfast/domains/capacity/placement/queue_deferral.hpp"

#include <algorithm>
#include <array>

namespace holdfast::capacity {

QueueDeferral::QueueDeferral(Board& board)
    : Deferral{board}, queues_(static_cast<std::size_t>(board.room.instance().machines)) {}

void QueueDeferral::clear() {
  Deferral::clear();
  for (Queue& queue : queues_) queue.clear();
}

// What most of a backlog do where jobs look at their target first: they wait in its queue.
std::size_t QueueDeferral::set_aside(std::span<const std::size_t> backlog, const Scale& scale,
                                     double limit, std::int64_t now) {
  if (board_.rules.kind != TargetKind::stretch) return 0;
  for (std::size_t i = 0; i < backlog.size(); ++i) {
    const PlacementRequest& request = board_.starts.request(backlog[i]);
    const std::int64_t target = scale.target_of(request.category);
    if (board_.room.free(target) >= request.cores ||
        !surely_starts_on(target, request.latest_start(limit), request.cores, now)) {
      return i;
    }
    push(request, target, now + 1);
  }
  return backlog.size();
}

void QueueDeferral::put_off(const PlacementRequest& request, std::int64_t target,
                            std::int64_t now) {
  // While a backlog is placed, it is found at its end who starts when.
  if (board_.is_filling) return push(request, target, now + 1);
  // Further than to the next change, most likely, nobody asks.
  const std::int64_t limit = board_.horizon > now ? board_.horizon : kNever;
  push(request, target, board_.starts.known(request, target, now, limit));
}

// All jobs before `until` get their plans, in order: no other job has to be asked for.
void QueueDeferral::plan_until(std::int64_t machine, std::size_t until, std::int64_t now) {
  Queue& queue = queue_of(machine);
  std::int64_t area = 0;
  for (std::size_t at = queue.row().first(); at < until; ++at) {
    const Queue::Entry& entry = queue.row()[at];
    if (entry.is_planned) continue;
    const std::int64_t start =
        board_.starts.take_on(machine, entry.place, entry.cores, entry.length, now);
    area += entry.cores * entry.length;
    board_.note(entry.task, machine, start);
  }
  queue.take_until(until, area);
}

// Makes the plans of those jobs before `until` that start before the time, but no more once one of them takes the slot that
// is asked for. Tells whether it made any.
bool QueueDeferral::settle(std::int64_t machine, std::size_t until, std::int64_t time,
                           const Slot* asked, std::int64_t now) {
  const auto m = static_cast<std::size_t>(machine);
  Queue& queue = queues_[m];
  const Staircases& stairs = board_.starts.stairs();
  // By class of cores: jobs as long as that are known to start later.
  std::array<std::int64_t, StartBounds::kMostCores> late;
  for (std::size_t c = 0; c < stairs.core_classes(); ++c) late[c] = stairs.late_length(m, c, time);
  bool has_planned = false;
  for (std::size_t at = queue.row().first_unsettled(time); at < until; ++at) {
    const Queue::Entry& entry = queue.row()[at];
    const std::size_t c = entry.place.read_cores;
    while (entry.length < late[c] && !entry.is_planned) {
      const std::int64_t start =
          board_.starts.known_on(machine, entry.place, entry.cores, entry.length, now, time);
      late[c] = stairs.late_length(m, c, time);
      if (start >= time) break;
      queue.settled(at, time);
      const Slot slot{machine, start, entry.length, entry.cores};
      if (is_settled_before(at, slot, now)) {
        queue.take(at);
        board_.starts.reserve(slot);
        board_.note(entry.task, machine, start);
      }
      has_planned = true;
      if (is_taken(asked)) return true;
    }
  }
  queue.settled(until, time);
  return has_planned;
}

bool QueueDeferral::is_settled_before(std::size_t at, const Slot& slot, std::int64_t now) {
  const Queue& queue = queue_of(slot.machine);
  const std::int64_t time = slot.start + slot.length;
  if (queue.row().settled_before(at) >= time) return true;
  // Where that is not in the first part of what waits, nearly all of it starts before, or will be asked for soon.
  constexpr std::int64_t kParts = 8;
  if (time - now < queue.area() / board_.room.instance().cores / kParts) {
    return !settle(slot.machine, at, time, &slot, now);
  }
  plan_until(slot.machine, at, now);
  return false;
}

bool QueueDeferral::is_settled(const Slot& slot, std::int64_t now) {
  return is_settled_before(queue_of(slot.machine).row().size(), slot, now);
}

void QueueDeferral::plan_to_horizon(std::int64_t now) {
  wake_ = kNever;
  for (std::size_t m = 0; m < queues_.size(); ++m) {
    Queue& queue = queues_[m];
    if (queue.row().wake() <= now) {
      settle(static_cast<std::int64_t>(m), queue.row().size(), board_.horizon, nullptr, now);
    }
    wake_ = std::min(wake_, queue.row().wake());
  }
}

}  // namespace holdfast::capacity
