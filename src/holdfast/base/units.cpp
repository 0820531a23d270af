#include "holdfast/base/units.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace holdfast {
namespace {

struct Suffix {
  std::string_view text;
  double factor;
};

constexpr double kDay = 86400;

constexpr auto kSeconds = std::to_array<Suffix>({{"s", 1},
                                                 {"sec", 1},
                                                 {"secs", 1},
                                                 {"second", 1},
                                                 {"seconds", 1},
                                                 {"ms", 1e-3},
                                                 {"millisecond", 1e-3},
                                                 {"milliseconds", 1e-3},
                                                 {"us", 1e-6},
                                                 {"microsecond", 1e-6},
                                                 {"microseconds", 1e-6},
                                                 {"ns", 1e-9},
                                                 {"nanosecond", 1e-9},
                                                 {"nanoseconds", 1e-9},
                                                 {"m", 60},
                                                 {"min", 60},
                                                 {"mins", 60},
                                                 {"minute", 60},
                                                 {"minutes", 60},
                                                 {"h", 3600},
                                                 {"hr", 3600},
                                                 {"hrs", 3600},
                                                 {"hour", 3600},
                                                 {"hours", 3600},
                                                 {"d", kDay},
                                                 {"day", kDay},
                                                 {"days", kDay},
                                                 {"w", 7 * kDay},
                                                 {"wk", 7 * kDay},
                                                 {"wks", 7 * kDay},
                                                 {"week", 7 * kDay},
                                                 {"weeks", 7 * kDay},
                                                 {"y", kYear},
                                                 {"yr", kYear},
                                                 {"yrs", kYear},
                                                 {"year", kYear},
                                                 {"years", kYear}});
constexpr auto kBytes = std::to_array<Suffix>({{"B", 1},
                                               {"byte", 1},
                                               {"bytes", 1},
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
constexpr auto kPerSecond = std::to_array<std::string_view>({"/s", "/sec", "/second", "ps"});

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
    case Unit::slots:
      return "a number of slots";
    case Unit::core_seconds:
      return "a number of core-seconds";
  }
  return "a number";
}

bool has_both_cases(std::string_view text) {
  const auto in = [text](char first, char last) {
    return std::any_of(text.begin(), text.end(), [=](char c) { return c >= first && c <= last; });
  };
  return in('a', 'z') && in('A', 'Z');
}

// Finds a suffix as the table has it, or in capitals or small letters throughout: "gb" and "HOURS" are read, but "Gb" (bits)
// and "M" (mega) are not taken for something else.
template <std::size_t N>
const Suffix* find_suffix(const std::array<Suffix, N>& table, std::string_view text) {
  for (const Suffix& suffix : table) {
    if (suffix.text == text) return &suffix;
  }
  if (text.size() < 2 || has_both_cases(text)) return nullptr;
  const std::string lower = lower_case(text);
  for (const Suffix& suffix : table) {
    if (lower_case(suffix.text) == lower) return &suffix;
  }
  return nullptr;
}

// Returns the part before "/s"; empty if the text does not end in that way.
std::string_view before_per_second(std::string_view text) {
  for (const std::string_view ending : kPerSecond) {
    if (text.ends_with(ending)) return trim(text.substr(0, text.size() - ending.size()));
  }
  return {};
}

// Returns the factor of a suffix, or 0 if it does not belong to the unit.
double factor_of(std::string_view suffix, Unit unit) {
  if (suffix.empty()) return 1;
  const Suffix* found = nullptr;
  switch (unit) {
    case Unit::none:
    case Unit::slots:
    case Unit::core_seconds:
      return 0;
    case Unit::seconds:
      found = find_suffix(kSeconds, suffix);
      break;
    case Unit::bytes:
      found = find_suffix(kBytes, suffix);
      break;
    case Unit::bytes_per_second:
      found = find_suffix(kBytes, before_per_second(suffix));
      break;
    case Unit::per_second:
      if (!suffix.starts_with("/")) return 0;
      found = find_suffix(kSeconds, trim(suffix.substr(1)));
      return found == nullptr ? 0 : 1 / found->factor;
  }
  return found == nullptr ? 0 : found->factor;
}

// Reads the number at the start of the text; the remaining text is stored in `rest`.
bool leading_number(std::string_view text, double& value, std::string_view& rest) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || !std::isfinite(value)) return false;
  rest = trim(text.substr(static_cast<std::size_t>(end - text.data())));
  return true;
}

// Reads two digits below `limit` at the start of the text, or any number of digits if `limit` is 0.
bool leading_digits(std::string_view& text, double limit, double& value) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  if (count == 0 || count > 9 || (limit > 0 && count != 2)) return false;
  std::uint32_t digits = 0;
  std::from_chars(text.data(), text.data() + count, digits);
  value = digits;
  text.remove_prefix(count);
  return limit == 0 || value < limit;
}

bool skip(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Reads "1-12:00:00", "1-12:00" (days-hours:minutes:seconds, as Slurm writes them) or "12:30:00" (hours:minutes:seconds).
std::optional<double> clock_time(std::string_view text) {
  const bool has_days = text.find('-') != std::string_view::npos;
  double days = 0, hours = 0, minutes = 0, seconds = 0;
  if (has_days && !(leading_digits(text, 0, days) && skip(text, '-'))) return std::nullopt;
  if (has_days && text.find(':') == 1) {  // "1-6:00"
    if (!leading_digits(text, 0, hours)) return std::nullopt;
  } else if (!leading_digits(text, has_days ? 24 : 0, hours)) {
    return std::nullopt;
  }
  if (!skip(text, ':') || !leading_digits(text, 60, minutes)) return std::nullopt;
  if (!(has_days && text.empty())) {
    if (!skip(text, ':') || !leading_digits(text, 60, seconds)) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return days * kDay + hours * 3600 + minutes * 60 + seconds;
}

// Returns true for "30:00", which is half an hour to Slurm and 30 hours on a clock: a factor of 60 that nobody should have to
// guess.
bool is_ambiguous_time(std::string_view text) {
  double first = 0, second = 0;
  return leading_digits(text, 0, first) && skip(text, ':') && leading_digits(text, 60, second) &&
         text.empty();
}

// Reads "1h30min" or "2 d 3 h": each number with its unit, the larger unit first.
std::optional<double> several_units(std::string_view text) {
  double sum = 0;
  double larger = std::numeric_limits<double>::infinity();
  while (!text.empty()) {
    double value = 0;
    std::string_view rest;
    if (!leading_number(text, value, rest) || std::signbit(value)) return std::nullopt;
    const std::size_t end = std::min(rest.find_first_of("0123456789. "), rest.size());
    const Suffix* suffix = find_suffix(kSeconds, rest.substr(0, end));
    if (suffix == nullptr || suffix->factor >= larger) return std::nullopt;
    larger = suffix->factor;
    sum += value * larger;
    text = trim(rest.substr(end));
  }
  return sum;
}

// Reads "1TB@10GB/s": the time that a size takes at a bandwidth.
Result<double> time_of_transfer(std::string_view text) {
  const auto at = text.find('@');
  HOLDFAST_TRY(size, parse_quantity(text.substr(0, at), Unit::bytes));
  HOLDFAST_TRY(bandwidth, parse_quantity(text.substr(at + 1), Unit::bytes_per_second));
  if (bandwidth > 0 && std::isfinite(size / bandwidth)) return size / bandwidth;
  return fail(ErrorCode::bad_value, "",
              fmt::format("found {}, expected a bandwidth greater than 0", in_quotes(text)));
}

// Returns what was probably meant by a text that is refused.
std::string advice(std::string_view text, Unit unit) {
  std::string_view rest;
  double value = 0;
  if (unit == Unit::seconds && is_ambiguous_time(text)) {
    const auto colon = text.find(':');
    const auto first = text.substr(0, colon), second = text.substr(colon + 1);
    return fmt::format("; is it {0}h{1}min or {0}min{1}s?", first, second);
  }
  if (!leading_number(text, value, rest)) return {};
  if (unit == Unit::seconds && lower_case(rest).starts_with("mo")) {
    return "; months are not of one length";
  }
  if (unit == Unit::seconds && factor_of(rest, Unit::bytes) != 0)
    return fmt::format("; a size takes time at a bandwidth: {}@10GB/s", text);
  const bool is_size = unit == Unit::bytes || unit == Unit::bytes_per_second;
  const std::string_view tail = unit == Unit::bytes ? "" : "/s";
  if (unit == Unit::bytes_per_second) rest = before_per_second(rest);
  constexpr std::string_view kPrefixes = "kKMGTP";
  if (!is_size || rest.empty() || kPrefixes.find(rest.front()) == std::string_view::npos) return {};
  const char prefix = rest.front() == 'K' ? 'k' : rest.front();
  if (rest.size() == 2 && rest.back() == 'b') return "; bits are not read";
  if (rest.size() != 1) return {};
  return fmt::format("; is it {0}{1}B{3} (powers of 1000) or {0}{2}iB{3} (powers of 1024)?", value,
                     prefix, prefix == 'k' ? 'K' : prefix, tail);
}

std::string two_units(double seconds) {
  struct Step {
    double length;
    std::string_view name;
  };
  constexpr auto kSteps =
      std::to_array<Step>({{kYear, "y"}, {86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}});
  // For so many years, 17 digits say no more than four, and a number of days could overflow.
  constexpr double kManyYears = 1e12;
  if (seconds >= kManyYears * kYear) return fmt::format("{:.4g} y", seconds / kYear);
  // The duration is first rounded to the smaller of the two units, so that 59.6 s with minutes never reads "60 s".
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

constexpr auto kBinary = std::to_array<std::string_view>({"", "Ki", "Mi", "Gi", "Ti", "Pi"});
constexpr auto kDecimal = std::to_array<std::string_view>({"", "k", "M", "G", "T", "P"});

std::string with_prefix(double value, double step, std::span<const std::string_view> prefixes,
                        std::string_view tail) {
  std::size_t prefix = 0;
  while (std::abs(value) >= step && prefix + 1 < prefixes.size()) {
    value /= step;
    ++prefix;
  }
  return fmt::format("{:.4g} {}{}", value, prefixes[prefix], tail);
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
    case Unit::slots:
      return "slots";
    case Unit::core_seconds:
      return "core s";
  }
  return "";
}

Result<double> parse_quantity(std::string_view text, Unit unit) {
  const std::string_view trimmed = trim(text);
  const auto refuse = [&] {
    return fail(
        ErrorCode::bad_value, "",
        fmt::format("found {}, expected {}{}", in_quotes(text), noun(unit), advice(trimmed, unit)));
  };
  if (unit == Unit::seconds && trimmed.find('@') != std::string_view::npos)
    return time_of_transfer(trimmed);
  double value = 0;
  std::string_view rest;
  if (!leading_number(trimmed, value, rest)) return refuse();
  if (unit == Unit::none && rest.starts_with('/')) {
    double divisor = 0;
    if (!leading_number(trim(rest.substr(1)), divisor, rest) || !rest.empty() || divisor == 0) {
      return refuse();
    }
    return value / divisor;
  }
  const double factor = factor_of(rest, unit);
  if (factor != 0 && std::isfinite(value * factor)) return value * factor;
  if (factor != 0 || unit != Unit::seconds) return refuse();
  auto sum = clock_time(trimmed);
  if (!sum) sum = several_units(trimmed);
  if (!sum || !std::isfinite(*sum)) return refuse();
  return *sum;
}

Result<std::int64_t> parse_integer(std::string_view text) {
  const auto refuse = [&] {
    return fail(ErrorCode::bad_value, "",
                fmt::format("found {}, expected a whole number", in_quotes(text)));
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

std::string exact_text(double value, Unit unit) {
  const auto whole_count = [value](double factor) -> std::optional<double> {
    const double count = value / factor;
    return count >= 1 && std::floor(count) == count ? std::optional(count) : std::nullopt;
  };
  std::string shortest;
  if (unit == Unit::seconds) {
    for (const std::string_view name : {"y", "d", "h", "min", "s"}) {
      const auto count = whole_count(find_suffix(kSeconds, name)->factor);
      if (count) return fmt::format("{}{}", *count, name);
    }
  } else if (unit == Unit::bytes || unit == Unit::bytes_per_second) {
    // Both 1e12 and 2^40 are whole numbers of KiB.
    for (const Suffix& prefixed : kBytes) {
      const auto count = prefixed.factor == 1 ? std::nullopt : whole_count(prefixed.factor);
      if (!count) continue;
      const std::string text =
          fmt::format("{}{}{}", *count, prefixed.text, unit == Unit::bytes ? "" : "/s");
      if (shortest.empty() || text.size() < shortest.size()) shortest = text;
    }
  }
  return shortest.empty() ? to_text(value) : shortest;
}

namespace {

/// Returns a text for a value that is not finite: a bound for a sum that overflowed, "-" for one that is undefined.
std::string not_finite(double value, Unit unit) {
  if (std::isnan(value)) return "-";
  const std::string_view name = symbol(unit);
  return fmt::format("{}1e308{}{}", value < 0 ? "below -" : "over ", name.empty() ? "" : " ", name);
}

}  // namespace

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds)) return not_finite(seconds, Unit::seconds);
  if (seconds < 0) return "-" + format_duration(-seconds);
  if (seconds == 0) return "0 s";
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.3g} s", seconds);
  return two_units(seconds);
}

std::string format_quantity(double value, Unit unit) {
  if (!std::isfinite(value)) return not_finite(value, unit);
  switch (unit) {
    case Unit::seconds:
      return format_duration(value);
    case Unit::bytes:
      return with_prefix(value, 1024, kBinary, "B");
    case Unit::bytes_per_second:
      return with_prefix(value, 1000, kDecimal, "B/s");
    case Unit::per_second:
      return fmt::format("{:.6g} /s", value);
    case Unit::slots:
    case Unit::core_seconds:
      return fmt::format("{:.6g} {}", value, symbol(unit));
    case Unit::none:
      break;
  }
  return fmt::format("{:.6g}", value);
}

}  // namespace holdfast
