#pragma once

#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

/// Helpers for the tests of this domain.
namespace holdfast::checkpoint::testing {

/// Returns the makespans, in seconds, of scenarios 0 to `runs` - 1 of a job whose failures follow a law.
inline Moments makespans(const Instance& instance, std::string_view strategy, std::uint64_t runs) {
  const StrategySpec spec = parse_strategy(strategy, strategies()).value();
  const auto rule = make_strategy(spec, instance).value();
  const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
  Moments out;
  for (std::uint64_t scenario = 0; scenario < runs; ++scenario) {
    const auto realisation = Realisation::make(instance, law, {.scenario = scenario});
    out.add(simulate(instance, *rule, *realisation, replans(spec)).makespan);
  }
  return out;
}

/// Returns true if a mean is within the given number of standard errors of its expected value.
inline bool is_within_errors(const Moments& found, double expected, double errors) {
  const double distance = found.mean() - expected;
  return distance * distance <=
         errors * errors * *found.variance() / static_cast<double>(found.count());
}

}  // namespace holdfast::checkpoint::testing
