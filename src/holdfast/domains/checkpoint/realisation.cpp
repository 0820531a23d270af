#include "holdfast/domains/checkpoint/realisation.hpp"

#include "holdfast/domains/checkpoint/pool_fate.hpp"
#include "holdfast/kernel/random.hpp"

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {
namespace {

FailureTrace draw_trace(const Instance& instance, const std::shared_ptr<const TabulatedLaw>& law,
                        const StreamKey& key) {
  if (instance.events) {
    auto given = FailureTrace::given(initial_groups(instance), *instance.events);
    assert(given && "check() has seen these events");
    return std::move(*given);
  }
  assert(law != nullptr);
  if (instance.rejuvenation == Rejuvenation::all) {
    const double age = instance.ages.empty() ? 0 : instance.ages.front().age;
    return FailureTrace::sample_rejuvenated(law, instance.processors, age, key);
  }
  return instance.ages.empty() ? FailureTrace::sample(law, instance.processors, key)
                               : FailureTrace::sample(law, instance.ages, key);
}

// The failures of the nodes in use. The pool must outlive the trace.
FailureTrace trace_of(NodePool& pool) {
  std::vector<AgeGroup> ages;
  for (const PoolMove& move : pool.moves(0)) ages.push_back({.age = -move.born, .count = 1});
  return FailureTrace::fed(make_ages(std::move(ages)).groups, [&pool](std::vector<Failure>& out) {
    while (pool.strikes() == out.size()) {
      if (!pool.reach(pool.changes())) return FailureTrace::kNever;
    }
    const PoolChange& change = pool.change(pool.strike(out.size()));
    out.push_back({.date = change.date, .renewed = change.renewed});
    return change.date;
  });
}

}  // namespace

std::unique_ptr<Realisation> Realisation::make(const Instance& instance,
                                               std::shared_ptr<const TabulatedLaw> law,
                                               const Draw& draw) {
  const StreamKey key{.seed = draw.seed,
                      .purpose = Purpose::failures,
                      .instance = draw.instance,
                      .scenario = draw.scenario};
  const bool has_pool = instance.platform.has_pool();
  std::unique_ptr<NodePool> pool;
  if (has_pool) pool = make_pool(instance, law, key);
  FailureTrace trace = has_pool ? trace_of(*pool) : draw_trace(instance, law, key);
  std::unique_ptr<Realisation> realisation(new Realisation(std::move(trace), std::move(law), draw));
  realisation->pool_ = std::move(pool);
  if (instance.is_elastic()) {
    realisation->new_pool_ = [instance, own = realisation->law_, key] {
      return make_pool(instance, own, key);
    };
  }
  if (instance.recorded) {
    realisation->end_ = instance.recorded->length - replay_start(instance, key);
  }
  if (instance.belief) {
    realisation->belief_ = std::make_shared<const TabulatedLaw>(*instance.belief);
  }
  if (has_pool) return realisation;
  if (realisation->law_ != nullptr) {
    realisation->hazard_ =
        std::make_unique<PlatformHazard>(*realisation->law_, realisation->trace_);
  }
  if (realisation->belief_ != nullptr) {
    realisation->believed_ =
        std::make_unique<PlatformHazard>(*realisation->belief_, realisation->trace_);
  }
  return realisation;
}

Realisation::Realisation(FailureTrace trace, std::shared_ptr<const TabulatedLaw> law,
                         const Draw& draw)
    : draw_{draw}, law_{std::move(law)}, trace_{std::move(trace)} {}

void Realisation::restart() {
  if (std::exchange(is_new_, false)) return;
  std::unique_ptr<NodePool> pool = new_pool_();
  trace_ = trace_of(*pool);
  pool_ = std::move(pool);
}

Level Realisation::survivor(std::size_t failure, double share) const {
  return uniform_at(key(Drawn::survivors), failure) < share ? Level::local : Level::global;
}

bool Realisation::is_whole(std::uint64_t number, double failure) const {
  return uniform_at(key(Drawn::whole_saves), number) >= failure;
}

double start_date(const Instance& instance) {
  const bool is_at_start =
      instance.events || !instance.ages.empty() || instance.platform.has_pool();
  return is_at_start ? 0 : instance.platform_age;
}

}  // namespace holdfast::checkpoint
