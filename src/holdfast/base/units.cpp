#include "holdfast/base/units.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace holdfast {
namespace {

struct Suffix {
  std::string_view text;
  double factor;
};

constexpr auto kSeconds = std::to_array<Suffix>({{"s", 1},
                                                 {"ms", 1e-3},
                                                 {"us", 1e-6},
                                                 {"ns", 1e-9},
                                                 {"min", 60},
                                                 {"h", 3600},
                                                 {"d", 86400},
                                                 {"w", 7 * 86400.0},
                                                 {"y", kYear}});
constexpr auto kBytes = std::to_array<Suffix>({{"B", 1},
                                               {"kB", 1e3},
                                               {"MB", 1e6},
                                               {"GB", 1e9},
                                               {"TB", 1e12},
                                               {"PB", 1e15},
                                               {"KiB", 0x1p10},
                                               {"MiB", 0x1p20},
                                               {"GiB", 0x1p30},
                                               {"TiB", 0x1p40},
                                               {"PiB", 0x1p50}});

std::string_view noun(Unit unit) {
  switch (unit) {
    case Unit::none:
      return "a number";
    case Unit::seconds:
      return "a duration such as 600s, 10min, 48h, 100d or 10y";
    case Unit::bytes:
      return "a size such as 512MB or 1GiB";
    case Unit::bytes_per_second:
      return "a bandwidth such as 2.5GB/s";
    case Unit::per_second:
      return "a rate such as 1e-6/s or 0.1/d";
  }
  return "a number";
}

template <std::size_t N>
const Suffix* find_suffix(const std::array<Suffix, N>& table, std::string_view text) {
  for (const Suffix& suffix : table) {
    if (suffix.text == text) return &suffix;
  }
  return nullptr;
}

// Factor of a suffix, or 0 where it does not belong to the unit.
double factor_of(std::string_view suffix, Unit unit) {
  if (suffix.empty()) return 1;
  const Suffix* found = nullptr;
  switch (unit) {
    case Unit::none:
      return 0;
    case Unit::seconds:
      found = find_suffix(kSeconds, suffix);
      break;
    case Unit::bytes:
      found = find_suffix(kBytes, suffix);
      break;
    case Unit::bytes_per_second:
      if (suffix.ends_with("/s")) found = find_suffix(kBytes, suffix.substr(0, suffix.size() - 2));
      break;
    case Unit::per_second:
      if (!suffix.starts_with("/")) return 0;
      found = find_suffix(kSeconds, suffix.substr(1));
      return found == nullptr ? 0 : 1 / found->factor;
  }
  return found == nullptr ? 0 : found->factor;
}

// The number at the start of the text; what follows is left in `rest`.
bool leading_number(std::string_view text, double& value, std::string_view& rest) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || !std::isfinite(value)) return false;
  rest = trim(text.substr(static_cast<std::size_t>(end - text.data())));
  return true;
}

std::string two_units(double seconds) {
  struct Step {
    double length;
    std::string_view name;
  };
  constexpr auto kSteps =
      std::to_array<Step>({{kYear, "y"}, {86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}});
  // Rounded to the smaller of the two units first, so that 59.6 s beside minutes never reads "60 s".
  std::size_t large = 0;
  while (large + 2 < kSteps.size() && seconds < kSteps[large].length) ++large;
  const double small = kSteps[large + 1].length;
  const double rounded = std::round(seconds / small) * small;
  if (large > 0 && rounded >= kSteps[large - 1].length) return two_units(rounded);
  const double count = std::floor(rounded / kSteps[large].length);
  const double rest = std::round((rounded - count * kSteps[large].length) / small);
  std::string out = fmt::format("{} {}", count, kSteps[large].name);
  if (rest > 0) out += fmt::format(" {} {}", rest, kSteps[large + 1].name);
  return out;
}

std::string with_prefix(double value, std::string_view tail) {
  constexpr auto kPrefixes = std::to_array<std::string_view>({"", "Ki", "Mi", "Gi", "Ti", "Pi"});
  std::size_t prefix = 0;
  while (std::abs(value) >= 1024 && prefix + 1 < kPrefixes.size()) {
    value /= 1024;
    ++prefix;
  }
  return fmt::format("{:.4g} {}{}", value, kPrefixes[prefix], tail);
}

}  // namespace

std::string_view symbol(Unit unit) {
  switch (unit) {
    case Unit::none:
      return "";
    case Unit::seconds:
      return "s";
    case Unit::bytes:
      return "B";
    case Unit::bytes_per_second:
      return "B/s";
    case Unit::per_second:
      return "1/s";
  }
  return "";
}

Result<double> parse_quantity(std::string_view text, Unit unit) {
  const auto refuse = [&] {
    return fail(ErrorCode::bad_value, "", fmt::format("found '{}', expected {}", text, noun(unit)));
  };
  double value = 0;
  std::string_view rest;
  if (!leading_number(trim(text), value, rest)) return refuse();
  if (unit == Unit::none && rest.starts_with('/')) {
    double divisor = 0;
    if (!leading_number(trim(rest.substr(1)), divisor, rest) || !rest.empty() || divisor == 0) {
      return refuse();
    }
    return value / divisor;
  }
  const double factor = factor_of(rest, unit);
  if (factor == 0 || !std::isfinite(value * factor)) return refuse();
  return value * factor;
}

Result<std::int64_t> parse_integer(std::string_view text) {
  const auto refuse = [&] {
    return fail(ErrorCode::bad_value, "", fmt::format("found '{}', expected a whole number", text));
  };
  const std::string_view trimmed = trim(text);
  std::int64_t whole = 0;
  const char* last = trimmed.data() + trimmed.size();
  if (const auto [end, failed] = std::from_chars(trimmed.data(), last, whole);
      failed == std::errc{} && end == last) {
    return whole;
  }
  double value = 0;
  std::string_view rest;
  if (!leading_number(trimmed, value, rest) || !rest.empty()) return refuse();
  if (std::abs(value) > 9e18 || std::floor(value) != value) return refuse();
  return static_cast<std::int64_t>(value);
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds)) return fmt::format("{} s", seconds);
  if (seconds < 0) return "-" + format_duration(-seconds);
  if (seconds == 0) return "0 s";
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.3g} s", seconds);
  return two_units(seconds);
}

std::string format_quantity(double value, Unit unit) {
  switch (unit) {
    case Unit::seconds:
      return format_duration(value);
    case Unit::bytes:
      return with_prefix(value, "B");
    case Unit::bytes_per_second:
      return with_prefix(value, "B/s");
    case Unit::per_second:
      return fmt::format("{:.6g} /s", value);
    case Unit::none:
      break;
  }
  return fmt::format("{:.6g}", value);
}

}  // namespace holdfast
