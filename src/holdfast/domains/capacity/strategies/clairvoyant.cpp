#include "holdfast/domains/capacity/strategies/clairvoyant.hpp"

#include <algorithm>

namespace holdfast::capacity {

Clairvoyant::Clairvoyant(Room& room)
    : QueueScan(room), off_(static_cast<std::size_t>(room.instance().machines), kNever) {}

std::int64_t Clairvoyant::off_after(std::int64_t machine, std::int64_t now) const {
  const Instance& instance = room().instance();
  auto step = std::upper_bound(instance.alive.begin(), instance.alive.end(), now,
                               [](std::int64_t time, const Step& one) { return time < one.time; });
  step = std::find_if(step, instance.alive.end(),
                      [machine](const Step& one) { return one.machines <= machine; });
  return step == instance.alive.end() || step->time >= instance.end ? kNever : step->time;
}

void Clairvoyant::open(std::int64_t now) {
  for (std::size_t machine = 0; machine < off_.size(); ++machine)
    off_[machine] = off_after(static_cast<std::int64_t>(machine), now);
}

void Clairvoyant::added(std::span<const std::int64_t> machines, std::int64_t now) {
  for (const std::int64_t machine : machines)
    off_[static_cast<std::size_t>(machine)] = off_after(machine, now);
}

bool Clairvoyant::may_start(std::size_t task, std::int64_t machine, std::int64_t now) const {
  const std::int64_t off = off_[static_cast<std::size_t>(machine)];
  return off == kNever || now + room().next_length(task) <= off;
}

}  // namespace holdfast::capacity
