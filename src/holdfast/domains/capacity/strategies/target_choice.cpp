#include "holdfast/domains/capacity/strategies/target.hpp"

#include <algorithm>
#include <cmath>

/// Where a job goes: the searches of the target policies.
namespace holdfast::capacity {

double Target::stretch_at(std::size_t task, std::int64_t start) const {
  const Task& job = room_.task(task);
  return static_cast<double>(start + room_.next_length(task) - job.release) /
         static_cast<double>(job.length);
}

std::int64_t Target::earliest(std::size_t task, std::int64_t machine, std::int64_t now,
                              std::int64_t limit) {
  return skylines_[static_cast<std::size_t>(machine)].earliest(now, room_.task(task).cores,
                                                               room_.next_length(task), limit);
}

bool Target::can_start(std::size_t task, std::int64_t machine, std::int64_t now) {
  if (room_.free(machine) < room_.task(task).cores) return false;
  return earliest(task, machine, now, now + 1) == now;
}

bool Target::is_empty(std::int64_t machine) const {
  return plans_on_[static_cast<std::size_t>(machine)] == 0 && room_.running(machine).empty();
}

std::int64_t Target::target_of(std::size_t task) const {
  const double category = room_.task(task).category;
  const auto scaled = [&](std::int64_t count) {
    return std::min(count - 1,
                    static_cast<std::int64_t>(std::floor(category * static_cast<double>(count))));
  };
  if (rules_.kind != TargetKind::packed) return scaled(used_);
  if (rules_.author) return rules_.pack * scaled(std::max<std::int64_t>(1, used_ / rules_.pack));
  return rules_.pack * (scaled(used_) / rules_.pack);
}

Target::Choice Target::choose(std::size_t task, std::int64_t now) {
  if (room_.alive_count() == 0) return {};
  if (rules_.author) return choose_by_author(task, now);
  return rules_.kind == TargetKind::packed ? choose_in_pack(task, now) : choose_by_text(task, now);
}

// x itself, then one further at a time, the lower machine first; -1 where none can start it now.
std::int64_t Target::first_startable(std::size_t task, std::int64_t from, std::int64_t now) {
  if (can_start(task, from, now)) return from;
  for (std::int64_t d = 1; d <= rules_.distance; ++d) {
    if (from - d >= 0 && can_start(task, from - d, now)) return from - d;
    if (from + d < used_ && can_start(task, from + d, now)) return from + d;
  }
  return -1;
}

// The smallest earliest start among the machines near by; ties to the smaller distance, then the smaller number.
Target::Choice Target::nearest_earliest(std::size_t task, std::int64_t from, std::int64_t start,
                                        std::int64_t now) {
  Choice best{from, start};
  const auto look = [&](std::int64_t machine) {
    if (machine < 0 || machine >= used_ || best.start == now) return;
    const std::int64_t found = earliest(task, machine, now, best.start);
    if (found < best.start) best = {machine, found};
  };
  for (std::int64_t d = 1; d <= rules_.distance; ++d) {
    look(from - d);
    look(from + d);
  }
  return best;
}

Target::Choice Target::choose_by_text(std::size_t task, std::int64_t now) {
  const std::int64_t x = target_of(task);
  if (rules_.kind == TargetKind::asap) {
    if (const std::int64_t m = first_startable(task, x, now); m >= 0) return {m, now};
  }
  const std::int64_t start = earliest(task, x, now);
  if (start == now || stretch_at(task, start) <= largest_stretch_) return {x, start};
  return nearest_earliest(task, x, start, now);
}

Target::Choice Target::choose_in_pack(std::size_t task, std::int64_t now) {
  const std::int64_t x = target_of(task);
  if (const std::int64_t m = first_startable(task, x, now); m >= 0) return {m, now};
  Choice best{x, earliest(task, x, now)};
  for (std::int64_t m = x + 1; m < std::min(x + rules_.pack, used_); ++m) {
    const std::int64_t found = earliest(task, m, now, best.start);
    if (found < best.start) best = {m, found};
  }
  if (stretch_at(task, best.start) <= largest_stretch_) return best;
  return nearest_earliest(task, best.machine, best.start, now);
}

// The nearest machine, higher first, that is empty or where the estimated stretch is small enough; else the smallest
// earliest start among those tried, ties to the target, then the smaller number.
Target::Choice Target::choose_by_author(std::size_t task, std::int64_t now) {
  const std::int64_t x = target_of(task);
  const double accepted = rules_.kind == TargetKind::stretch ? largest_stretch_ : 1;
  Choice best{-1, kNever};
  bool is_accepted = false;
  const auto look = [&](std::int64_t machine) {
    if (is_accepted || machine < 0 || machine >= used_) return;
    if (is_empty(machine)) {
      best = {machine, now};
      is_accepted = true;
      return;
    }
    const bool wins_ties = best.machine >= 0 && best.machine != x && machine < best.machine;
    const std::int64_t limit = wins_ties ? best.start + 1 : best.start;
    const std::int64_t start = earliest(task, machine, now, limit);
    if (start >= limit) return;  // no earlier than one that was not accepted: not accepted either
    best = {machine, start};
    is_accepted = stretch_at(task, start) <= accepted;
  };
  look(x);
  for (std::int64_t d = 1; d <= rules_.distance; ++d) {
    look(x + d);
    look(x - d);
  }
  return best;
}

}  // namespace holdfast::capacity
