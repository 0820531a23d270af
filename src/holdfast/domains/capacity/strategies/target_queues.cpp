#include "holdfast/domains/capacity/strategies/target.hpp"

#include <algorithm>
#include <array>

/// Tasks whose plans were put off (target_plans.cpp says why) and that wait for one machine, that of their target: each
/// machine has a queue of them.
namespace holdfast::capacity {

// When a job of that size starts on the machine, from that time on and as far as the plans go that have been made; `limit`
// where that is not before it. The search goes on past the limit, for what it finds tells of others.
std::int64_t Target::start_on(std::int64_t machine, const StartBounds::Place& place,
                              std::int64_t cores, std::int64_t length, std::int64_t from,
                              std::int64_t limit) {
  const auto m = static_cast<std::size_t>(machine);
  const Staircases::Known known = stairs_.known(m, place, length);
  const std::int64_t not_before = std::max(from, known.start);
  if (not_before >= limit) return limit;
  const AvailabilityProfile::First found = availability_[m].first_from(not_before, cores, length);
  stairs_.add(m, place, known, std::max(known.length, found.needs), found.start);
  return std::min(found.start, limit);
}

// What most of a backlog do: they wait in the queue of their target, and nothing has to be searched to tell.
void Target::queue_backlog(std::int64_t now) {
  for (const std::size_t task : backlog_) {
    const Wish& wish = wishes_[task];
    const std::int64_t target = target_of(wish);
    const std::int64_t time = latest_start(wish, largest_stretch_) - kRounding;
    if (room_.free(target) < wish.cores && surely_starts_on(target, time, wish.cores, now)) {
      put_on_queue(wish, target, now + 1);
    } else {
      place(wish, (this->*search_)(wish, now, true), now);
    }
  }
}

void Target::plan(std::int64_t machine, std::size_t at, std::int64_t start) {
  const auto m = static_cast<std::size_t>(machine);
  const Queue::Entry& entry = queues_[m].row()[at];
  queues_[m].take(at);
  availability_[m].reserve(start, start + entry.length, entry.cores);
  note_plan(entry.task, machine, start);
}

// All tasks before `until` get their plans, in order: no other task has to be asked for. What start_on() and plan() do apart
// is done at once: most plans of target-stretch are made here.
void Target::plan_until(std::int64_t machine, std::size_t until, std::int64_t now) {
  const auto m = static_cast<std::size_t>(machine);
  Queue& queue = queues_[m];
  AvailabilityProfile& availability = availability_[m];
  std::int64_t area = 0;
  for (std::size_t at = queue.row().first(); at < until; ++at) {
    const Queue::Entry& entry = queue.row()[at];
    if (entry.is_planned) continue;
    const Staircases::Known known = stairs_.known(m, entry.place, entry.length);
    const auto [start, needs] =
        availability.take_first(std::max(now, known.start), entry.cores, entry.length);
    stairs_.add(m, entry.place, known, std::max(known.length, needs), start);
    area += entry.cores * entry.length;
    note_plan(entry.task, machine, start);
  }
  queue.take_until(until, area);
}

// Makes the plans of those tasks before `until` that start before the time, but no more once one of them takes the slot
// that is asked for. Tells whether it made any.
bool Target::settle(std::int64_t machine, std::size_t until, std::int64_t time, const Slot* asked,
                    std::int64_t now) {
  const auto m = static_cast<std::size_t>(machine);
  Queue& queue = queues_[m];
  // By class of cores: of jobs as long as that it is known that they start later.
  std::array<std::int64_t, StartBounds::kMostCores> late;
  for (std::size_t c = 0; c < stairs_.core_classes(); ++c)
    late[c] = stairs_.late_length(m, c, time);
  bool has_planned = false;
  for (std::size_t at = queue.row().first_unsettled(time); at < until; ++at) {
    const Queue::Entry& entry = queue.row()[at];
    const std::size_t c = entry.place.read_cores;
    while (entry.length < late[c] && !entry.is_planned) {
      const std::int64_t start =
          start_on(machine, entry.place, entry.cores, entry.length, now, time);
      late[c] = stairs_.late_length(m, c, time);
      if (start >= time) break;
      queue.settled(at, time);
      if (is_settled(machine, at, {machine, start, entry.length, entry.cores}, now)) {
        plan(machine, at, start);
      }
      has_planned = true;
      if (is_taken(asked)) return true;
    }
  }
  queue.settled(until, time);
  return has_planned;
}

// Have all tasks before `at` that start before the slot's end got their plans? If not, they get them now, as far as they
// leave the slot free, and what was found without them has to be found again.
bool Target::is_settled(std::int64_t machine, std::size_t at, const Slot& slot, std::int64_t now) {
  const Queue& queue = queue_of(machine);
  const std::int64_t time = slot.start + slot.length;
  if (queue.row().settled_before(at) >= time) return true;
  // Where that is not in the first part of what waits, nearly all of it starts before, or will be asked for soon.
  constexpr std::int64_t kParts = 8;
  if (time - now < queue.area() / room_.instance().cores / kParts) {
    return !settle(machine, at, look_ahead(time, now), &slot, now);
  }
  plan_until(machine, at, now);
  return false;
}

}  // namespace holdfast::capacity
