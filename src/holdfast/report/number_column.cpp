#include "holdfast/report/number_column.hpp"

#include "holdfast/base/elementary.hpp"
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
constexpr Scale kSlots[] = {{"slots", 1}};
constexpr Scale kCoreSeconds[] = {{"core s", 1}};

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
    case Unit::slots:
      return kSlots;
    case Unit::core_seconds:
      return kCoreSeconds;
    case Unit::none:
      return kPlain;
  }
  return kPlain;
}

constexpr double kWidest = 1e5;  // largest ratio of two numbers for which one unit is used
constexpr int kLeastDigits = 2;

// The smallest and the largest magnitude, without zeros.
struct Extent {
  double smallest = 0;
  double largest = 0;

  void add(double value) {
    const double size = std::abs(value);
    if (size == 0) return;
    if (smallest == 0 || size < smallest) smallest = size;
    largest = std::max(largest, size);
  }
  [[nodiscard]] bool is_narrow() const { return largest <= kWidest * smallest; }
};

Extent extent(const Numbers& values) {
  Extent found;
  for (const auto& value : values) found.add(value.value_or(0));
  return found;
}

// Returns the largest unit in which the largest value is at least 3: "56 h" rather than "2.33 d".
Scale best_scale(std::span<const Scale> all, double largest) {
  Scale best = all.front();
  for (const Scale& scale : all) {
    if (largest >= 3 * scale.size) best = scale;
  }
  return best;
}

int decimals_for(double largest, int digits) {
  if (largest == 0) return 0;
  const int whole = static_cast<int>(std::floor(elementary::log10(largest))) + 1;
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

// Returns true for numbers that are not readable with one unit and one number of decimals.
bool is_scattered(const Extent& range, Unit unit) {
  const bool tiny = unit == Unit::none && range.largest > 0 && range.largest < 1e-4;
  return !range.is_narrow() || range.largest >= 1e15 || tiny;
}

NumberColumn one_by_one(const Numbers& values, Unit unit, int digits) {
  NumberColumn column;
  for (const auto& value : values) {
    column.texts.push_back(!value               ? std::string()
                           : unit == Unit::none ? to_text(*value, digits)
                                                : format_quantity(*value, unit));
  }
  return column;
}

// Removes the sign of "-0.0".
std::string without_sign_of_zero(std::string text) {
  if (text.front() == '-' && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return text;
}

NumberColumn in_scale(const Numbers& values, const Scale& scale, int decimals) {
  NumberColumn column{std::string(scale.name), {}};
  for (const auto& value : values) {
    column.texts.push_back(
        value ? without_sign_of_zero(fmt::format("{:.{}f}", *value / scale.size, decimals))
              : std::string());
  }
  trim_common_zeros(column.texts, decimals);
  return column;
}

}  // namespace

double two_digits(double error, double value) {
  constexpr double kRounding = 1e-12;
  if (std::abs(error) <= kRounding * std::abs(value)) return 0;
  if (error == 0 || !std::isfinite(error)) return error;
  const double unit = elementary::pow(10, std::floor(elementary::log10(std::abs(error))) - 1);
  return std::round(error / unit) * unit;
}

DisplayUnit display_unit(Unit unit, double largest) {
  if (largest == 0) return {std::string(symbol(unit)), 1};
  const Scale scale = best_scale(scales(unit), largest);
  return {std::string(scale.name), scale.size};
}

std::vector<NumberColumn> format_columns(std::span<const Numbers> columns, Unit unit, int digits) {
  std::vector<Extent> ranges;
  double overall = 0;
  for (const Numbers& values : columns) {
    ranges.push_back(extent(values));
    if (!is_scattered(ranges.back(), unit)) overall = std::max(overall, ranges.back().largest);
  }
  std::vector<NumberColumn> formatted;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (is_scattered(ranges[i], unit)) {
      formatted.push_back(one_by_one(columns[i], unit, digits));
      continue;
    }
    const bool joins = overall <= kWidest * ranges[i].largest || ranges[i].largest == 0;
    const double largest = joins ? overall : ranges[i].largest;
    const Scale scale = largest == 0 ? Scale{symbol(unit), 1} : best_scale(scales(unit), largest);
    formatted.push_back(
        in_scale(columns[i], scale,
                 std::max(decimals_for(largest / scale.size, digits),
                          decimals_for(ranges[i].largest / scale.size, kLeastDigits))));
  }
  return formatted;
}

}  // namespace holdfast
