#include "holdfast/report/time_axis.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace holdfast {
namespace {

struct AxisUnit {
  std::string_view name;
  double size;  // size of the unit, in seconds or in bytes per second
};
constexpr AxisUnit kTimeUnits[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1},    {"min", 60},
                                   {"h", 3600},  {"d", 86400}, {"y", kYear}};

constexpr double kFewest = 3;  // smallest length of the axis in its unit
constexpr AxisUnit kRateUnits[] = {
    {"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}};

// Returns the largest unit in which the span is at least `fewest`.
AxisUnit unit_for(std::span<const AxisUnit> units, double span, double fewest) {
  AxisUnit best = units.front();
  for (const AxisUnit& unit : units) {
    if (span >= fewest * unit.size) best = unit;
  }
  return best;
}

// Returns the smallest of 1, 2, 5 times a power of ten that divides the span into at most `wanted` steps.
double round_step(double span, int wanted) {
  const double least = span / std::max(wanted, 1);
  const double power = elementary::pow(10.0, std::floor(elementary::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

TimeAxis make_axis(double low, double high, std::string_view unit, int wanted) {
  TimeAxis axis{.unit = std::string(unit), .ticks = {}};
  const double span = high - low;
  if (!(span > 1e-13 * std::max(std::abs(low),
                                std::abs(high)))) {  // between the ticks would be less than a digit
    axis.ticks.push_back({low, to_text(low, 6)});
    return axis;
  }
  double scale = 1;
  if (unit == "s" || unit == "B/s") {
    const AxisUnit chosen =
        unit == "s" ? unit_for(kTimeUnits, span, kFewest) : unit_for(kRateUnits, span, 1);
    axis.unit = chosen.name;
    scale = chosen.size;
  }
  const double step = round_step(span / scale, wanted);
  const double first = std::ceil(low / scale / step - 1e-9);
  const double last = std::floor(high / scale / step + 1e-9);
  for (double i = first; i <= last; ++i) {
    axis.ticks.push_back({i * step * scale, to_text(i * step + 0.0, 6)});
  }
  return axis;
}

}  // namespace holdfast
