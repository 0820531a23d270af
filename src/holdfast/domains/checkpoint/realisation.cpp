#include "holdfast/domains/checkpoint/realisation.hpp"

#include "holdfast/kernel/random.hpp"

#include <cassert>
#include <cstddef>
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

Level Realisation::survivor(std::size_t failure, double share) const {
  constexpr std::size_t kBlock = 4;  // numbers in a block of the stream; seek() goes to a block
  Stream stream(key(Drawn::survivors));
  stream.seek(failure / kBlock);
  for (std::size_t i = 0; i < failure % kBlock; ++i) stream.uniform();
  return stream.uniform() < share ? Level::local : Level::global;
}

double start_date(const Instance& instance) {
  return instance.events || !instance.ages.empty() ? 0 : instance.platform_age;
}

}  // namespace holdfast::checkpoint
