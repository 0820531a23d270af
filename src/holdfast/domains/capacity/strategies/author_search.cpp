#include "holdfast/domains/capacity/strategies/target_policy.hpp"

namespace holdfast::capacity {
namespace {

// Returns the start of the job on a machine that is empty or where its stretch is accepted; kNever on others.
std::int64_t accepted_start(const PlacementRequest& request, std::int64_t machine,
                            std::int64_t latest, double accepted, const Search& search) {
  const PlacementState& placement = search.placement();
  const std::int64_t now = search.now();
  if (machine < 0 || machine >= placement.machines.count()) return kNever;
  if (placement.machines.is_empty(machine)) return now;
  if (search.surely_starts_by(latest, request, machine)) {
    return search.can_start(request, machine) ? now : kLater;
  }
  if (now > latest) return kNever;
  const std::int64_t start = search.earliest(request, machine, latest + 1);
  if (start > latest) return kNever;
  // The quotient is computed only where rounding could matter.
  return start + kRounding > latest && request.stretch_at(start) > accepted ? kNever : start;
}

}  // namespace

Choice choose_as_author(const PlacementRequest& request, std::int64_t target, double accepted,
                        const Search& search) {
  const PlacementState& placement = search.placement();
  const std::int64_t now = search.now();
  const std::int64_t latest = request.latest_start(accepted);
  const bool may_accept = now <= latest || placement.machines.has_empty() || !placement.is_filling;
  if (search.deferral().has_horizon(now)) {
    const Choice first =
        search.smallest_start(request, target, {-1, placement.horizon}, Ties::lowest);
    if (first.machine < 0) return {target, kLater};
    if (!may_accept) return first;
  }
  for (std::int64_t d = 0; may_accept && d <= placement.rules.distance; ++d) {
    for (const std::int64_t machine : {target + d, target - d}) {
      const std::int64_t start = accepted_start(request, machine, latest, accepted, search);
      if (start < kNever) return {machine, start};
      if (d == 0) break;
    }
  }
  return search.smallest_start(request, target, {-1, kNever}, Ties::lowest);
}

}  // namespace holdfast::capacity
