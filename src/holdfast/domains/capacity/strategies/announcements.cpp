#include "holdfast/domains/capacity/strategies/announcements.hpp"

#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstddef>

namespace holdfast::capacity {

Announcements::Announcements(const Instance& instance, std::int64_t notice)
    : instance_{instance},
      notice_{notice},
      off_(static_cast<std::size_t>(instance.machines), kNever) {}

std::int64_t Announcements::off_after(std::int64_t machine, std::int64_t now) const {
  const auto& alive = instance_.alive;
  const auto after = std::ranges::upper_bound(alive, now, {}, &Step::time);
  const auto step = std::find_if(after, alive.end(),
                                 [machine](const Step& one) { return one.machines <= machine; });
  return step == alive.end() || step->time >= instance_.end ? kNever : step->time;
}

void Announcements::open(std::int64_t now) {
  for (std::size_t machine = 0; machine < off_.size(); ++machine)
    off_[machine] = off_after(static_cast<std::int64_t>(machine), now);
}

void Announcements::added(std::span<const std::int64_t> machines, std::int64_t now) {
  for (const std::int64_t machine : machines)
    off_[static_cast<std::size_t>(machine)] = off_after(machine, now);
}

bool Announcements::spares(std::int64_t machine, std::int64_t start, std::int64_t length,
                           std::int64_t now) const {
  const std::int64_t off = off_[static_cast<std::size_t>(machine)];
  if (off == kNever || off - now > notice_ || start + length <= off) return true;
  return instance_.saves_runs() &&
         off - start >= 2 * std::max<std::int64_t>(1, *instance_.checkpoint);
}

}  // namespace holdfast::capacity
