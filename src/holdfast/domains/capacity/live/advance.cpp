#include "holdfast/domains/capacity/live/advance.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/capacity/live/apply.hpp"
#include "holdfast/domains/capacity/live/desk.hpp"
#include "holdfast/domains/capacity/live/registry.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace holdfast::capacity {
namespace {

// Returns true if these events say only that time has gone on, and nothing is due by then.
bool is_quiet(const World& world, std::span<const LiveEvent> events) {
  std::int64_t now = world.now;
  for (const LiveEvent& event : events) {
    if (event.what != LiveEvent::What::tick || event.at < now) return false;
    now = event.at;
  }
  return !events.empty() && now < world.quiet_until;
}

}  // namespace

Status check_live(const StrategySpec& spec, bool is_priced) {
  HOLDFAST_CHECK(check_limit(spec));
  const StrategyEntry entry = strategies()[spec.index];
  if (entry.is_bound || entry.name == "as-given") {
    return fail(ErrorCode::bad_value, "/strategy",
                fmt::format("found {}, expected one that decides without knowing the future",
                            in_quotes(spec.text)));
  }
  Instance rules{.machines = 1, .cores = 1, .alive = {{0, 1}}, .notice = kNoEnd};
  if (is_priced) rules.price = {{0, 0}};
  const auto maker = make_strategy(spec, rules, Stream(StreamKey{}));
  if (!maker) return fail(maker.error());
  return {};
}

bool plans_ahead(const StrategySpec& spec) {
  const Instance none{.machines = 1, .cores = 1, .alive = {{0, 1}}, .notice = kNoEnd};
  ClusterState cluster(none, {}, nullptr);
  const auto maker = make_strategy(spec, none, Stream(StreamKey{}));
  return maker && (*maker)(cluster)->plans_ahead();
}

Result<LiveAdvice> advance(World& world, std::span<const LiveEvent> events,
                           const StrategySpec& spec) {
  HOLDFAST_CHECK(check_live(spec, !world.rules.price.empty() || !world.rules.carbon.empty()));
  if (is_quiet(world, events)) {
    world.now = events.back().at;
    return LiveAdvice{.moves = {}, .ask_again_at = world.ask_again_at, .ignored = {}};
  }
  HOLDFAST_CHECK(check_events(world, events));
  Kept& kept = world.kept;
  if (!kept.registry) kept.registry = std::make_shared<Registry>(world);
  LiveAdvice out;
  std::size_t first = 0;
  do {
    std::size_t end = first;
    while (end < events.size() && events[end].at == events[first].at) ++end;
    const Changes changes = apply(world, events.subspan(first, end - first));
    if (!kept.desk || !kept.desk->follow(world, changes)) kept.desk = std::make_shared<Desk>(world);
    LiveAdvice advice = kept.desk->decide(world, changes, spec);
    std::move(advice.moves.begin(), advice.moves.end(), std::back_inserter(out.moves));
    std::move(advice.ignored.begin(), advice.ignored.end(), std::back_inserter(out.ignored));
    out.ask_again_at = advice.ask_again_at;
    first = end;
  } while (first < events.size());
  return out;
}

}  // namespace holdfast::capacity
