#include "holdfast/report/chart/scale.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kFewTicks = 3;  // fewer ticks do not show the scale

// Round durations for ticks: whole units, and finer steps.
constexpr double kCoarseTimes[] = {1e-3,         1.0,   60.0,       3600.0,     86400.0,
                                   30 * 86400.0, kYear, 10 * kYear, 100 * kYear};
constexpr double kFineTimes[] = {1e-3,         1e-2,          1e-1,   1.0,        10.0,
                                 60.0,         600.0,         3600.0, 6 * 3600.0, 86400.0,
                                 10 * 86400.0, 100 * 86400.0, kYear,  10 * kYear, 100 * kYear};

void add_tick(const ChartRange& range, double at, std::string text, TimeAxis& out) {
  if (at >= range.low * (1 - 1e-9) && at <= range.high * (1 + 1e-9))
    out.ticks.push_back({at, std::move(text)});
}

void add_powers(const ChartRange& range, int wanted, std::initializer_list<double> factors,
                TimeAxis& out) {
  out.ticks.clear();
  const double first = std::floor(elementary::log10(range.low));
  const double last = std::ceil(elementary::log10(range.high));
  const double step = std::max(1.0, std::ceil((last - first) / wanted));
  for (double power = first; power <= last; power += step) {
    for (const double factor : factors) {
      const double at = factor * elementary::pow(10, power);
      add_tick(range, at, fmt::format("{:g}", at), out);
    }
  }
}

}  // namespace

ChartScale::ChartScale(const ChartRange& range, Span span) : range_{range}, span_{span} {
  // Values that differ by rounding alone cannot be distinguished by ticks.
  const double largest = std::max(std::abs(range_.low), std::abs(range_.high));
  if (!(range_.high - range_.low > 1e-12 * largest))
    range_.high = range_.low + (range_.low != 0 ? std::abs(range_.low) : 1);
}

bool ChartScale::shows(double value) const {
  return std::isfinite(value) && (!range_.is_logarithmic || value > 0);
}

double ChartScale::place(double value) const {
  const double part = range_.is_logarithmic ? elementary::log(value / range_.low) /
                                                  elementary::log(range_.high / range_.low)
                                            : (value - range_.low) / (range_.high - range_.low);
  return span_.from + (span_.to - span_.from) * part;
}

TimeAxis ChartScale::ticks(std::string_view unit, int wanted) const {
  return range_.is_logarithmic ? decades(unit, wanted)
                               : make_axis(range_.low, range_.high, unit, wanted);
}

TimeAxis ChartScale::decades(std::string_view unit, int wanted) const {
  TimeAxis out;
  if (unit == "s") {
    TimeAxis coarse;
    for (const double at : kCoarseTimes) add_tick(range_, at, format_duration(at), coarse);
    for (const double at : kFineTimes) add_tick(range_, at, format_duration(at), out);
    const auto most = static_cast<std::size_t>(wanted);
    if (out.ticks.size() > most && coarse.ticks.size() >= kFewTicks) return coarse;
    if (out.ticks.size() >= kFewTicks) return out;
  }
  out.unit = unit;
  add_powers(range_, wanted, {1}, out);
  if (out.ticks.size() < kFewTicks) add_powers(range_, wanted, {1, 2, 5}, out);
  if (out.ticks.size() < kFewTicks) return make_axis(range_.low, range_.high, unit, wanted);
  return out;
}

}  // namespace holdfast
