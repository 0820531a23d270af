#include "holdfast/domains/capacity/strategies/target_policy.hpp"

#include <algorithm>

namespace holdfast::capacity {
namespace {

/// Decides as target-asap does, with packs of machines that are filled in order: the target is the first machine of a pack, and
/// a job waits for whichever machine of the pack is free first.
/// Source: Perotin's thesis, section 4.5.5.
class PackedTargetAsap final : public TargetPolicy {
 public:
  using TargetPolicy::TargetPolicy;

 private:
  Scale scale(std::size_t level) const override {
    const std::int64_t used = placement_.machines.count(level);
    const std::int64_t pack = placement_.rules.pack;
    // The text takes the pack in which the machine of the category lies; the author scales the category to whole packs.
    if (!placement_.rules.author) {
      Scale out = TargetPolicy::scale(level);
      out.pack = pack;
      return out;
    }
    const std::int64_t packs = std::max<std::int64_t>(1, used / pack);
    return {static_cast<double>(packs), packs - 1, pack, 1};
  }

  Choice choose(const PlacementRequest& request, std::int64_t target,
                const Search& search) const override {
    if (placement_.rules.author) return choose_as_author(request, target, 1, search);
    if (const std::int64_t m = search.first_startable(request, target); m >= 0) {
      return {m, search.now()};
    }
    const std::int64_t until =
        std::min(target + placement_.rules.pack, placement_.machines.end_for(request.cores));
    const std::int64_t latest = request.latest_start(largest_stretch());
    if (search.surely_starts_by(latest, request, target)) {
      // A pack may reach further than the distance.
      for (std::int64_t m = target + placement_.rules.distance + 1; m < until; ++m) {
        if (search.can_start(request, m)) return {m, search.now()};
      }
      return {target, kLater};
    }
    Choice best{target, search.earliest(request, target)};
    for (std::int64_t m = target + 1; m < until; ++m) {
      const std::int64_t found = search.earliest(request, m, best.start);
      if (found < best.start) best = {m, found};
    }
    if (request.stretch_at(best.start) <= largest_stretch()) return best;
    return search.smallest_start(request, best.machine, best, Ties::nearest);
  }
};

}  // namespace

std::unique_ptr<Strategy> make_packed_target_asap(ClusterState& cluster, const TargetRules& rules) {
  return std::make_unique<PackedTargetAsap>(cluster, rules);
}

}  // namespace holdfast::capacity
