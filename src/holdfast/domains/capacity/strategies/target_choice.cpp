#include "holdfast/domains/capacity/strategies/target.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

/// Where a job goes: the searches of the target policies.
namespace holdfast::capacity {

double Target::stretch_at(const Wish& wish, std::int64_t start) {
  return (static_cast<double>(start) - wish.due) / wish.full_length;
}

Target::Wish Target::wish_of(std::size_t task) const {
  const Task& job = room_.task(task);
  const std::int64_t length = room_.next_length(task);
  const StartBounds::Place place = bounds_.place_of(job.cores, length);
  return {.bounds = bounds_.row(place),
          .place = place,
          .length = length,
          .full_length = static_cast<double>(job.length),
          .due = static_cast<double>(job.release - length),
          .category = job.category,
          .cores = static_cast<std::int32_t>(job.cores),
          .task = static_cast<std::uint32_t>(task)};
}

// As far as the plans go that have been made.
std::int64_t Target::known_start(const Wish& wish, std::int64_t machine, std::int64_t now,
                                 std::int64_t limit, std::int64_t not_before) {
  // Where one machine is asked after another. The text's policies compare many at once, as the bounds do.
  if (has_queues_ && rules_.author) {
    return start_on(machine, wish.place, wish.cores, wish.length, now, limit);
  }
  const auto m = static_cast<std::size_t>(machine);
  const std::int64_t from = std::max(now, bounds_.bound(wish.bounds, machine));
  if (std::max(from, not_before) >= limit) return limit;
  if (!wish.place.has_own_cores()) {
    const std::int64_t start =
        availability_[m].earliest(std::max(from, not_before), wish.cores, wish.length);
    if (from >= not_before) bounds_.raise(m, wish.place, start);
    return std::min(start, limit);
  }
  // What holds for the shortest job of the class on the way spares all of the class the same steps.
  const std::int64_t shortest = bounds_.least_length(wish.place.read_length);
  // The search goes on past the limit, for what it finds spares later ones the same steps.
  const AvailabilityProfile::Starts found =
      availability_[m].earliest_two(from, wish.cores, shortest, wish.length, not_before);
  bounds_.raise(m, wish.place.shortest(), found.shorter);
  return std::min(found.start, limit);
}

bool Target::can_start(const Wish& wish, std::int64_t machine, std::int64_t now) {
  if (room_.free(machine) < wish.cores) return false;
  return earliest(wish, machine, now, now + 1) == now;
}

Target::Choice Target::choose(std::size_t task, std::int64_t now) {
  if (room_.alive_count() == 0) return {};
  return (this->*search_)(wishes_[task], now, false);
}

// x itself, then one further at a time, the lower machine first; -1 where none can start it now.
std::int64_t Target::first_startable(const Wish& wish, std::int64_t from, std::int64_t now) {
  if (is_filling_ && openings_.excludes(wish.place.read_cores, from, wish.length)) return -1;
  if (can_start(wish, from, now)) return from;
  for (std::int64_t d = 1; d <= rules_.distance; ++d) {
    if (from - d >= 0 && can_start(wish, from - d, now)) return from - d;
    if (from + d < used_ && can_start(wish, from + d, now)) return from + d;
  }
  return -1;
}

// The smallest earliest start among the machines near `from`. `best` is a machine whose start is known, or none and a
// limit. Ties go to `from` itself, then to the nearest machine (of two as near, the lower) or to the lowest.
Target::Choice Target::smallest_start(const Wish& wish, std::int64_t from, Choice best, Ties ties,
                                      std::int64_t now) {
  for (;;) {
    const Choice found = smallest_known_start(wish, from, best, ties, now, Turn{});
    if (found.machine == best.machine) return found;
    if (is_settled({found.machine, found.start, wish.length, wish.cores}, now)) return found;
  }
}

// As far as the plans go that have been made. The machine that looks best by what is known comes first: its start lets most
// of the others be passed over.
Target::Choice Target::smallest_known_start(const Wish& wish, std::int64_t from, Choice best,
                                            Ties ties, std::int64_t now, Turn turn) {
  const std::int64_t low = std::max<std::int64_t>(0, from - rules_.distance);
  const std::int64_t high = std::min(used_ - 1, from + rules_.distance);
  const auto rank = [from, ties](std::int64_t m) {
    if (m == from) return std::int64_t{-1};
    return ties == Ties::lowest ? m : 2 * std::abs(m - from) + (m > from ? 1 : 0);
  };
  const auto look = [&](std::int64_t m) {
    const bool wins_tie = best.machine >= 0 && rank(m) < rank(best.machine);
    const std::int64_t limit = best.start + (wins_tie ? 1 : 0);
    const std::int64_t start = known_start(wish, m, now, limit, turn.not_before(m));
    if (start < limit) best = {m, start};
  };
  const std::int64_t known = best.machine;
  const std::int64_t likely = StartBounds::least(wish.bounds, low, high + 1);
  if (best.machine < 0 && bounds_.bound(wish.bounds, likely) >= best.start) return best;
  if (likely != known) look(likely);
  for (std::int64_t block = low; block <= high; block += StartBounds::kAtOnce) {
    const std::int64_t asked = best.start < kNever ? best.start + 1 : kNever;
    for (std::uint32_t left = bounds_.before(wish.bounds, block, high + 1, asked); left != 0;
         left &= left - 1) {
      const std::int64_t m = block + std::countr_zero(left);
      if (m == likely || m == known || bounds_.bound(wish.bounds, m) > best.start) continue;
      look(m);
    }
  }
  return best;
}

Target::Choice Target::choose_by_text(const Wish& wish, std::int64_t now, bool may_put_off) {
  const std::int64_t x = target_of(wish);
  if (rules_.kind == TargetKind::asap) {
    if (const std::int64_t m = first_startable(wish, x, now); m >= 0) return {m, now};
  }
  const std::int64_t latest = latest_start(wish, largest_stretch_);
  if (may_put_off && surely_starts_by(latest, wish, x, now)) {
    if (rules_.kind == TargetKind::stretch && can_start(wish, x, now)) return {x, now};
    return {x, kLater};
  }
  if (rules_.kind == TargetKind::stretch && can_start(wish, x, now)) return {x, now};
  const std::int64_t start = earliest(wish, x, now, latest + 1);
  if (start <= latest && stretch_at(wish, start) <= largest_stretch_) return {x, start};
  return smallest_start(wish, x, {-1, kNever}, Ties::nearest, now);
}

Target::Choice Target::choose_in_pack(const Wish& wish, std::int64_t now, bool may_put_off) {
  const std::int64_t x = target_of(wish);
  if (const std::int64_t m = first_startable(wish, x, now); m >= 0) return {m, now};
  if (may_put_off && surely_starts_by(latest_start(wish, largest_stretch_), wish, x, now)) {
    // A pack may reach further than the distance.
    for (std::int64_t m = x + rules_.distance + 1; m < std::min(x + rules_.pack, used_); ++m) {
      if (can_start(wish, m, now)) return {m, now};
    }
    return {x, kLater};
  }
  Choice best{x, earliest(wish, x, now)};
  for (std::int64_t m = x + 1; m < std::min(x + rules_.pack, used_); ++m) {
    const std::int64_t found = earliest(wish, m, now, best.start);
    if (found < best.start) best = {m, found};
  }
  if (stretch_at(wish, best.start) <= largest_stretch_) return best;
  return smallest_start(wish, best.machine, best, Ties::nearest, now);
}

// When the task starts on a machine that is empty, or where it starts no later than `latest`; kNever on others.
std::int64_t Target::accepted_start(const Wish& wish, std::int64_t machine, std::int64_t latest,
                                    double limit, std::int64_t now, bool may_put_off) {
  if (machine < 0 || machine >= used_) return kNever;
  if (looks_empty(machine)) return now;
  if (may_put_off && !by_horizon_ && surely_starts_by(latest, wish, machine, now)) {
    return can_start(wish, machine, now) ? now : kLater;
  }
  if (now > latest) return kNever;
  const std::int64_t start = earliest(wish, machine, now, latest + 1);
  // The quotient only decides where rounding could.
  if (start > latest || (start + kRounding > latest && stretch_at(wish, start) > limit))
    return kNever;
  return start;
}

// The nearest machine, higher first, that is empty or where the estimated stretch is small enough; else the smallest
// earliest start among those tried, ties to the target, then the smaller number.
Target::Choice Target::choose_by_author(const Wish& wish, std::int64_t now, bool may_put_off) {
  const std::int64_t x = target_of(wish);
  const double accepted = rules_.kind == TargetKind::stretch ? largest_stretch_ : 1;
  const std::int64_t latest = latest_start(wish, accepted);
  const bool may_accept = now <= latest || empty_ > 0 || !is_filling_;
  if (by_horizon_ && may_put_off && now + 1 < horizon_) {
    if (!is_filling_ && openings_.covers(now, horizon_, used_) &&
        openings_.excludes(wish.place.read_cores, x, wish.length)) {
      return {x, kLater};
    }
    const Choice first = smallest_start(wish, x, {-1, horizon_}, Ties::lowest, now);
    if (first.machine < 0) return {x, kLater};
    if (!may_accept) return first;
  }
  for (std::int64_t d = 0; may_accept && d <= rules_.distance; ++d) {
    std::int64_t start = accepted_start(wish, x + d, latest, accepted, now, may_put_off);
    if (start < kNever) return {x + d, start};
    if (d == 0) continue;
    start = accepted_start(wish, x - d, latest, accepted, now, may_put_off);
    if (start < kNever) return {x - d, start};
  }
  return smallest_start(wish, x, {-1, kNever}, Ties::lowest, now);
}

}  // namespace holdfast::capacity
