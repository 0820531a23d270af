#pragma once

#include "holdfast/domains/io/simulate.hpp"
#include "holdfast/domains/io/strategies.hpp"
#include "holdfast/kernel/random.hpp"

#include <string_view>
#include <vector>

/// Small random windows for the tests of this domain.
namespace holdfast::io {

inline constexpr std::string_view kSharing[] = {"fair-share",
                                                "fcfs",
                                                "greedy-yield",
                                                "greedy-com",
                                                "look-ahead-greedy-yield",
                                                "periodic-greedy-yield",
                                                "set-10",
                                                "best-next-event"};

/// Returns a small random window.
/// @param same_bandwidth  true: each application alone can use the full bandwidth of the file system
inline Instance random_window(std::uint64_t seed, bool same_bandwidth) {
  Stream stream({.seed = seed});
  Instance instance;
  instance.bandwidth = stream.uniform(0.5, 2);
  instance.begin = stream.chance(0.5) ? 0 : stream.uniform(0, 50);
  instance.end = instance.begin + stream.uniform(5, 40);
  const auto count = stream.integer(1, 8);
  for (std::int64_t i = 0; i < count; ++i) {
    Application application;
    application.id = std::to_string(i);
    application.nodes = static_cast<double>(stream.integer(1, 20));
    application.bandwidth =
        same_bandwidth ? instance.bandwidth : instance.bandwidth * stream.uniform(0.1, 1);
    application.release = instance.begin - (stream.chance(0.3) ? 0 : stream.uniform(0, 30));
    application.progress = (instance.begin - application.release) * stream.uniform();
    const auto phases = stream.integer(2, 6);
    for (std::int64_t k = 0; k < phases; ++k) {
      const bool moves = (k % 2 == 0) == stream.chance(0.5);
      application.phases.push_back(
          moves ? Phase{Phase::Kind::io, application.bandwidth * stream.uniform(0.2, 4)}
                : Phase{Phase::Kind::work, stream.uniform(0.2, 6)});
    }
    application.repeat = true;
    instance.applications.push_back(application);
  }
  return instance;
}

inline Run run_of(const Instance& instance, std::string_view name, Timeline* timeline = nullptr) {
  const Load load = load_of(instance);
  const auto spec = parse_strategy(name, strategies()).value();
  const auto strategy = make_strategy(spec, instance, load).value();
  return simulate(instance, load, *strategy, timeline);
}

}  // namespace holdfast::io
