#include "holdfast/domains/capacity/strategies/target_policy.hpp"

namespace holdfast::capacity {
namespace {

/// Starts the job now, on the target or near it, if that is possible; otherwise decides as target-stretch does.
/// Source: Perotin's thesis, section 4.5.4.
class TargetAsap final : public TargetPolicy {
 public:
  using TargetPolicy::TargetPolicy;

 private:
  Choice choose(const PlacementRequest& request, std::int64_t target,
                const Search& search) const override {
    // The author's program accepts no wait at all, and otherwise takes the smallest start: no job waits for its target itself.
    if (placement_.rules.author) return choose_as_author(request, target, 1, search);
    if (const std::int64_t m = search.first_startable(request, target); m >= 0) {
      return {m, search.now()};
    }
    const std::int64_t latest = request.latest_start(largest_stretch());
    if (search.surely_starts_by(latest, request, target)) return {target, kLater};
    const std::int64_t start = search.earliest(request, target, latest + 1);
    if (start <= latest && request.stretch_at(start) <= largest_stretch()) return {target, start};
    return search.smallest_start(request, target, {-1, kNever}, Ties::nearest);
  }
};

}  // namespace

std::unique_ptr<Strategy> make_target_asap(ClusterState& cluster, const TargetRules& rules) {
  return std::make_unique<TargetAsap>(cluster, rules);
}

}  // namespace holdfast::capacity
