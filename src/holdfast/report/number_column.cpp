#include "holdfast/report/number_column.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace holdfast {
namespace {

struct Scale {
  std::string_view name;
  double size;
};

constexpr Scale kDurations[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1},    {"min", 60},
                                {"h", 3600},  {"d", 86400}, {"y", kYear}};
constexpr Scale kBytes[] = {{"B", 1},        {"KiB", 0x1p10}, {"MiB", 0x1p20},
                            {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"PiB", 0x1p50}};
constexpr Scale kRates[] = {
    {"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}};
constexpr Scale kPerSecond[] = {{"1/s", 1}};
constexpr Scale kPlain[] = {{"", 1}};

std::span<const Scale> scales(Unit unit) {
  switch (unit) {
    case Unit::seconds:
      return kDurations;
    case Unit::bytes:
      return kBytes;
    case Unit::bytes_per_second:
      return kRates;
    case Unit::per_second:
      return kPerSecond;
    case Unit::none:
      return kPlain;
  }
  return kPlain;
}

// Smallest and largest magnitude, zeros left out.
struct Extent {
  double smallest = 0;
  double largest = 0;
};

Extent extent(std::span<const std::optional<double>> values) {
  Extent found;
  for (const auto& value : values) {
    const double size = std::abs(value.value_or(0));
    if (size == 0) continue;
    if (found.smallest == 0 || size < found.smallest) found.smallest = size;
    found.largest = std::max(found.largest, size);
  }
  return found;
}

// The largest unit in which the biggest value is at least 3: "56 h" rather than "2.33 d".
Scale best_scale(std::span<const Scale> all, double largest) {
  Scale best = all.front();
  for (const Scale& scale : all) {
    if (largest >= 3 * scale.size) best = scale;
  }
  return best;
}

int decimals_for(double largest, int digits) {
  if (largest == 0) return 0;
  const int whole = static_cast<int>(std::floor(std::log10(largest))) + 1;
  return std::clamp(digits - whole, 0, 15);
}

bool ends_with_zero(const std::string& text) {
  return text.back() == '0';
}

// Drops the decimals that are zero in every text, so that whole numbers look whole.
void trim_common_zeros(std::vector<std::string>& texts, int decimals) {
  for (; decimals > 0; --decimals) {
    const bool all = std::all_of(texts.begin(), texts.end(), [](const std::string& text) {
      return text.empty() || ends_with_zero(text);
    });
    if (!all) return;
    for (std::string& text : texts) {
      if (text.empty()) continue;
      text.pop_back();
      if (text.back() == '.') text.pop_back();
    }
  }
}

}  // namespace

NumberColumn format_column(std::span<const std::optional<double>> values, Unit unit, int digits) {
  NumberColumn column;
  column.texts.reserve(values.size());
  const Extent range = extent(values);
  const bool one_scale = range.largest <= 1e5 * range.smallest && range.largest < 1e15;
  const bool small_plain = unit == Unit::none && range.largest < 1e-4;
  if (!one_scale || (small_plain && range.largest > 0)) {
    for (const auto& value : values) {
      column.texts.push_back(!value               ? std::string()
                             : unit == Unit::none ? to_text(*value, digits)
                                                  : format_quantity(*value, unit));
    }
    return column;
  }
  const Scale scale = best_scale(scales(unit), range.largest);
  column.unit = range.largest == 0 ? std::string(symbol(unit)) : std::string(scale.name);
  const int decimals = decimals_for(range.largest / scale.size, digits);
  for (const auto& value : values) {
    column.texts.push_back(value ? fmt::format("{:.{}f}", *value / scale.size, decimals)
                                 : std::string());
  }
  trim_common_zeros(column.texts, decimals);
  return column;
}

}  // namespace holdfast
