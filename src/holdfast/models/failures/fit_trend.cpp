#include "holdfast/models/failures/fit_trend.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/math/chi_square.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast {

RecurrenceTests recurrence_tests(std::span<const WatchedUnit> units) {
  RecurrenceTests out;
  double exposure = 0;
  double failures = 0;
  double watched = 0;  // units with a window
  for (const WatchedUnit& unit : units) {
    ++out.units_by_count[static_cast<std::int64_t>(unit.failures.size())];
    if (!(unit.to > unit.from)) continue;
    exposure += unit.to - unit.from;
    failures += static_cast<double>(unit.failures.size());
    ++watched;
  }
  if (failures == 0) return out;
  double squares = 0;     // of (seen - expected), over expected
  double distance = 0;    // of failures from the middles of their windows
  double variance = 0;    // of that
  double logarithms = 0;  // of window / time of failure
  double inside = 0;      // failures with such a time
  for (const WatchedUnit& unit : units) {
    const double length = unit.to - unit.from;
    if (!(length > 0)) continue;
    const auto count = static_cast<double>(unit.failures.size());
    const double expected = failures * length / exposure;
    squares += (count - expected) * (count - expected) / expected;
    variance += count * length * length / 12;
    for (const double failure : unit.failures) {
      const double time = failure - unit.from;
      distance += time - 0.5 * length;
      if (!(time > 0)) continue;
      logarithms += elementary::log(length / time);
      ++inside;
    }
  }
  if (watched > 1) {
    out.dispersion = {squares, chi_square_survival(watched - 1, squares)};
    out.dispersion_index = squares / (watched - 1);
  }
  const double score = distance / std::sqrt(variance);
  out.laplace = {score, 2 * normal_cumulative(-std::abs(score))};
  if (inside > 0 && logarithms > 0) {
    out.power_shape = inside / logarithms;
    const double above = chi_square_survival(2 * inside, 2 * logarithms);
    out.power = {2 * logarithms, 2 * std::min(above, 1 - above)};
  }
  return out;
}

}  // namespace holdfast
