#pragma once

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/volatile/evaluator.hpp"

#include <cstdint>

namespace holdfast::volatile_workers {

/// The criterion by which configurations are compared; the larger score wins.
enum class Criterion : std::uint8_t {
  probability,  ///< P: ln P
  expected,     ///< E: -E
  /// Y: ln P - ln(E + t), where t is the number of slots since the iteration began.
  yield,
  apparent_yield,  ///< AY: ln P - ln E
  restart,         ///< T: -ln T, this library's addition
};

[[nodiscard]] inline Ask what_to_ask(Criterion criterion) {
  return criterion == Criterion::restart ? Ask::restart_too : Ask::success_and_duration;
}

/// Returns the score of a value.
/// @param elapsed  t, slots since the iteration began
[[nodiscard]] inline double score(Criterion criterion, const ConfigurationValue& value,
                                  std::int64_t elapsed) {
  switch (criterion) {
    case Criterion::probability:
      return value.log_success;
    case Criterion::expected:
      return -value.expected;
    case Criterion::yield:
      return value.log_success - elementary::log(value.expected + static_cast<double>(elapsed));
    case Criterion::apparent_yield:
      return value.log_success - elementary::log(value.expected);
    case Criterion::restart:
      return -value.log_restart;
  }
  return 0;
}

}  // namespace holdfast::volatile_workers
