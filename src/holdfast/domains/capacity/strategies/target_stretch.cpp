#include "holdfast/domains/capacity/strategies/target_policy.hpp"

namespace holdfast::capacity {
namespace {

/// Lets the job wait for the target machine if its stretch stays within the largest one so far; otherwise takes the earliest
/// start on a nearby machine.
/// Source: Perotin's thesis, section 4.5.3.
class TargetStretch final : public TargetPolicy {
 public:
  using TargetPolicy::TargetPolicy;

 private:
  Choice choose(const PlacementRequest& request, std::int64_t target,
                const Search& search) const override {
    // The author's program accepts the same stretch on each nearby machine, one after the other.
    if (placement_.rules.author)
      return choose_as_author(request, target, largest_stretch(), search);
    const std::int64_t latest = request.latest_start(largest_stretch());
    const bool may_wait = search.surely_starts_by(latest, request, target);
    if (search.can_start(request, target)) return {target, search.now()};
    if (may_wait) return {target, kLater};
    const std::int64_t start = search.earliest(request, target, latest + 1);
    if (start <= latest && request.stretch_at(start) <= largest_stretch()) return {target, start};
    return search.smallest_start(request, target, {-1, kNever}, Ties::nearest);
  }
};

}  // namespace

std::unique_ptr<Strategy> make_target_stretch(ClusterState& cluster, const TargetRules& rules) {
  return std::make_unique<TargetStretch>(cluster, rules);
}

}  // namespace holdfast::capacity
