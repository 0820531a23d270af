#include "holdfast/domains/capacity/off_intervals.hpp"

namespace holdfast::capacity {

std::vector<OffInterval> off_intervals(const Instance& instance,
                                       std::span<const std::int64_t> rank_of) {
  const std::vector<AliveSpan> spans = instance.alive_spans();
  std::vector<OffInterval> out;
  for (std::size_t machine = 0; machine < rank_of.size(); ++machine) {
    OffInterval off{.machine = static_cast<std::int64_t>(machine)};
    bool was_on = true;
    const auto follow = [&](std::int64_t time, std::int64_t alive) {
      const bool is_on = rank_of[machine] < alive;
      if (was_on && !is_on) off.start = time;
      if (!was_on && is_on) out.push_back({off.machine, off.start, time});
      was_on = is_on;
    };
    for (const AliveSpan& span : spans) follow(span.begin, span.machines);
    follow(instance.end, instance.machines);
  }
  return out;
}

}  // namespace holdfast::capacity
