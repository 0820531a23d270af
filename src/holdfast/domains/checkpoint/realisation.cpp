#include "holdfast/domains/checkpoint/realisation.hpp"

#include <cassert>
#include <utility>

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

}  // namespace

std::unique_ptr<Realisation> Realisation::make(const Instance& instance,
                                               std::shared_ptr<const TabulatedLaw> law,
                                               const Draw& draw) {
  const StreamKey key{.seed = draw.seed,
                      .purpose = Purpose::failures,
                      .instance = draw.instance,
                      .scenario = draw.scenario};
  FailureTrace trace = draw_trace(instance, law, key);
  std::unique_ptr<Realisation> realisation(new Realisation(std::move(trace), std::move(law), draw));
  if (instance.belief) {
    realisation->belief_ = std::make_shared<const TabulatedLaw>(*instance.belief);
    realisation->believed_ =
        std::make_unique<PlatformHazard>(*realisation->belief_, realisation->trace_);
  }
  return realisation;
}

Realisation::Realisation(FailureTrace trace, std::shared_ptr<const TabulatedLaw> law,
                         const Draw& draw)
    : draw_{draw}, law_{std::move(law)}, trace_{std::move(trace)} {
  if (law_ != nullptr) hazard_ = std::make_unique<PlatformHazard>(*law_, trace_);
}

double start_date(const Instance& instance) {
  return instance.events || !instance.ages.empty() ? 0 : instance.platform_age;
}

}  // namespace holdfast::checkpoint
