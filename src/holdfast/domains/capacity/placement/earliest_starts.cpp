#include "holdfast/domains/capacity/placement/earliest_starts.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace holdfast::capacity {

EarliestStarts::EarliestStarts(const ClusterState& cluster, Memory memory)
    : cluster_{cluster},
      is_mixed_{!cluster.instance().sizes.empty()},
      memory_{memory},
      availability_(static_cast<std::size_t>(cluster.instance().machines)),
      bounds_(cluster.tasks(), availability_.size(), cluster.instance().begin,
              memory == Memory::by_length ? 1 : StartBounds::kMostLengths),
      stairs_(availability_.size(), memory == Memory::by_class ? 0 : bounds_.core_classes()) {
  requests_.reserve(cluster.tasks().size());
  for (std::size_t task = 0; task < cluster.tasks().size(); ++task) {
    requests_.push_back(request_of(task));
  }
}

PlacementRequest EarliestStarts::request_of(std::size_t task) const {
  const Task& job = cluster_.task(task);
  const std::int64_t length = cluster_.next_length(task);
  const StartBounds::Place place = bounds_.place_of(job.cores, length);
  return {.bounds = bounds_.row(place),
          .place = place,
          .cores = static_cast<std::int32_t>(job.cores),
          .length = length,
          .full_length = static_cast<double>(job.length),
          .due = static_cast<double>(job.release - length),
          .category = job.category,
          .task = static_cast<std::uint32_t>(task)};
}

void EarliestStarts::rebuild(std::int64_t machine, std::int64_t now) {
  const auto m = static_cast<std::size_t>(machine);
  ends_.clear();
  for (const ClusterState::Running& run : cluster_.running(machine)) {
    ends_.emplace_back(run.end, cluster_.task(run.task).cores);
  }
  std::sort(ends_.begin(), ends_.end());
  std::int64_t free = cluster_.free(machine);
  availability_[m].reset(now, free);
  // From here on cores are only given back: no job of a class starts before there are enough cores for it.
  std::size_t core_class = 0;
  const auto starts_from = [&](std::int64_t time) {
    for (; core_class < bounds_.core_classes() && bounds_.least_cores(core_class) <= free;
         ++core_class) {
      bounds_.reset(m, core_class, time);
    }
  };
  stairs_.clear(m);
  starts_from(now);
  for (const auto& [end, cores] : ends_) {
    availability_[m].release(end, cores);
    free += cores;
    starts_from(end);
  }
  // On a machine that is too small, wider classes never start.
  for (; core_class < bounds_.core_classes(); ++core_class) bounds_.reset(m, core_class, kNever);
}

// The search goes on past the limit, because what it proves holds for later jobs.
std::int64_t EarliestStarts::known(const PlacementRequest& request, std::int64_t machine,
                                   std::int64_t now, std::int64_t limit) {
  if (is_mixed_ && request.cores > cluster_.cores(machine)) return limit;
  if (memory_ == Memory::by_length) {
    return known_on(machine, request.place, request.cores, request.length, now, limit);
  }
  const auto m = static_cast<std::size_t>(machine);
  const std::int64_t bound = bounds_.bound(request.bounds, machine);
  const std::int64_t from = std::max(now, bound);
  if (from >= limit) return limit;
  const AvailabilityProfile::Found found =
      availability_[m].earliest(from, request.cores, request.length);
  bounds_.raise(m, request.place, {bound > now ? bound : 0, found.start, found.needs});
  return std::min(found.start, limit);
}

std::int64_t EarliestStarts::known_on(std::int64_t machine, const StartBounds::Place& place,
                                      std::int64_t cores, std::int64_t length, std::int64_t now,
                                      std::int64_t limit) {
  const auto m = static_cast<std::size_t>(machine);
  const Stairs& read = stairs_.of(m, place.read_cores);
  const std::size_t step = read.step_of(length);
  const std::int64_t from = std::max(now, read.start(step));
  if (from >= limit) return limit;
  const AvailabilityProfile::Found found = availability_[m].earliest(from, cores, length);
  if (place.write_cores < bounds_.core_classes()) {
    Stairs& written = stairs_.of(m, place.write_cores);
    written.add(place.has_own_cores() ? step : written.step_of(length),
                std::max(read.length(step), found.needs), found.start);
  }
  return std::min(found.start, limit);
}

// The machine with the smallest bound is searched first: given its start, most of the others need no search.
Choice EarliestStarts::smallest_known(const PlacementRequest& request, const MachineRange& near,
                                      Choice best, Ties ties, std::int64_t now) {
  const std::int64_t low = near.low, high = near.until - 1;
  const auto rank = [center = near.center, ties](std::int64_t m) {
    if (m == center) return std::int64_t{-1};
    return ties == Ties::lowest ? m : 2 * std::abs(m - center) + (m > center ? 1 : 0);
  };
  const auto look = [&](std::int64_t m) {
    const bool wins_tie = best.machine >= 0 && rank(m) < rank(best.machine);
    const std::int64_t limit = best.start + (wins_tie ? 1 : 0);
    const std::int64_t start = known(request, m, now, limit);
    if (start < limit) best = {m, start};
  };
  const std::int64_t given = best.machine;
  const std::int64_t likely = StartBounds::least(request.bounds, low, high + 1);
  if (best.machine < 0 && bounds_.bound(request.bounds, likely) >= best.start) return best;
  if (likely != given) look(likely);
  for (std::int64_t block = low; block <= high; block += StartBounds::kAtOnce) {
    const std::int64_t asked = best.start < kNever ? best.start + 1 : kNever;
    for (std::uint32_t left = bounds_.before(request.bounds, block, high + 1, asked); left != 0;
         left &= left - 1) {
      const std::int64_t m = block + std::countr_zero(left);
      if (m == likely || m == given || bounds_.bound(request.bounds, m) > best.start) continue;
      look(m);
    }
  }
  return best;
}

}  // namespace holdfast::capacity
