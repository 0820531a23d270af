#include "holdfast/domains/capacity/placement/search.hpp"

namespace holdfast::capacity {

std::int64_t Search::earliest(const PlacementRequest& request, std::int64_t machine,
                              std::int64_t limit) const {
  for (;;) {
    const std::int64_t start = placement_.starts.known(request, machine, now_, limit);
    if (start >= limit) return start;
    if (deferral_.is_settled({machine, start, request.length, request.cores}, now_)) return start;
  }
}

bool Search::can_start(const PlacementRequest& request, std::int64_t machine) const {
  // While a backlog is placed, even a search that fails is useful: what it proves holds for later jobs.
  if (!placement_.is_filling && placement_.cluster.free(machine) < request.cores) return false;
  return earliest(request, machine, now_ + 1) == now_;
}

std::int64_t Search::first_startable(const PlacementRequest& request, std::int64_t from) const {
  if (placement_.starts.excludes(request, placement_.near(from, request.cores), now_ + 1))
    return -1;
  if (can_start(request, from)) return from;
  const std::int64_t used = placement_.machines.end_for(request.cores);
  for (std::int64_t d = 1; d <= placement_.rules.distance; ++d) {
    if (from - d >= 0 && can_start(request, from - d)) return from - d;
    if (from + d < used && can_start(request, from + d)) return from + d;
  }
  return -1;
}

Choice Search::smallest_start(const PlacementRequest& request, std::int64_t from, Choice best,
                              Ties ties) const {
  for (;;) {
    const Choice found = placement_.starts.smallest_known(
        request, placement_.near(from, request.cores), best, ties, now_);
    if (found.machine == best.machine) return found;
    if (deferral_.is_settled({found.machine, found.start, request.length, request.cores}, now_)) {
      return found;
    }
  }
}

}  // namespace holdfast::capacity
