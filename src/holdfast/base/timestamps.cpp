#include "holdfast/base/timestamps.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

namespace holdfast {
namespace {

/// A reader of a text from left to right. Every step returns whether the text matched.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_{text} {}

  bool literal(char expected) {
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Reads a whole number of `least` to `most` digits.
  bool digits(std::size_t least, std::size_t most, int& out) {
    std::size_t count = 0;
    out = 0;
    while (count < most && count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9') {
      out = 10 * out + (rest_[count++] - '0');
    }
    rest_.remove_prefix(count);
    return count >= least;
  }
  /// Reads the digits after a decimal point, as a fraction of 1.
  bool fraction(double& out) {
    const std::size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (count == 0) return false;
    const std::string text = "0." + std::string(rest_.substr(0, count));
    std::from_chars(text.data(), text.data() + text.size(), out);
    rest_.remove_prefix(count);
    return true;
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// Returns the start of a day in seconds; nothing if there is no such day.
std::optional<double> start_of_day(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return 86400.0 * static_cast<double>(std::chrono::sys_days{date}.time_since_epoch().count());
}

tl::unexpected<Error> not_a(std::string_view text, std::string_view expected) {
  return fail(ErrorCode::bad_value, {},
              fmt::format("found {}, expected {}", in_quotes(text), expected));
}

bool read_clock(Scanner& scan, Instant& out) {
  int hour = 0;
  int minute = 0;
  if (!scan.digits(2, 2, hour) || !scan.literal(':') || !scan.digits(2, 2, minute)) return false;
  out.seconds += 3600.0 * hour + 60.0 * minute;
  out.resolution = 60;
  int second = 0;
  if (scan.literal(':')) {
    if (!scan.digits(2, 2, second)) return false;
    out.seconds += second;
    out.resolution = 1;
    double part = 0;
    if (scan.literal('.') || scan.literal(',')) {
      if (!scan.fraction(part)) return false;
      out.seconds += part;
      out.resolution = 0;
    }
  }
  return hour <= 23 && minute <= 59 && second <= 60;  // 60: a leap second
}

bool read_zone(Scanner& scan, Instant& out) {
  if (scan.at_end() || scan.literal('Z')) return true;
  const bool east = scan.literal('+');
  if (!east && !scan.literal('-')) return false;
  int hours = 0;
  int minutes = 0;
  if (!scan.digits(2, 2, hours)) return false;
  scan.literal(':');
  if (!scan.at_end() && !scan.digits(2, 2, minutes)) return false;
  out.seconds -= (east ? 1 : -1) * (3600.0 * hours + 60.0 * minutes);
  return hours <= 14 && minutes <= 59;
}

std::optional<Instant> parse_iso(std::string_view text) {
  Scanner scan{text};
  int year = 0;
  int month = 0;
  int day = 0;
  if (!scan.digits(4, 4, year) || !scan.literal('-') || !scan.digits(2, 2, month) ||
      !scan.literal('-') || !scan.digits(2, 2, day)) {
    return std::nullopt;
  }
  const auto start = start_of_day(year, month, day);
  if (!start) return std::nullopt;
  Instant out{.seconds = *start, .is_date = true, .resolution = 86400};
  if (scan.at_end()) return out;
  if (!scan.literal('T') && !scan.literal(' ')) return std::nullopt;
  if (!read_clock(scan, out)) return std::nullopt;
  scan.literal(' ');
  if (!read_zone(scan, out) || !scan.at_end()) return std::nullopt;
  return out;
}

int month_number(std::string_view name) {
  static constexpr auto kMonths = std::to_array<std::string_view>(
      {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"});
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i] == name) return static_cast<int>(i) + 1;
  }
  return 0;
}

}  // namespace

Result<double> parse_month_first_minute(std::string_view text) {
  Scanner scan{trim(text)};
  int month = 0;
  int day = 0;
  int year = 0;
  int hour = 0;
  int minute = 0;
  const bool fits = scan.digits(1, 2, month) && scan.literal('/') && scan.digits(1, 2, day) &&
                    scan.literal('/') && scan.digits(4, 4, year) && scan.literal(' ') &&
                    scan.digits(1, 2, hour) && scan.literal(':') && scan.digits(2, 2, minute) &&
                    scan.at_end() && hour <= 23 && minute <= 59;
  const auto start = fits ? start_of_day(year, month, day) : std::nullopt;
  if (!start) return not_a(text, "a date as month/day/year hour:minute");
  return *start + 3600.0 * hour + 60.0 * minute;
}

Result<Instant> parse_instant(std::string_view text) {
  const std::string_view bare = trim(text);
  Instant out;
  const auto [end, status] = std::from_chars(bare.data(), bare.data() + bare.size(), out.seconds);
  if (status == std::errc{} && end == bare.data() + bare.size() && std::isfinite(out.seconds)) {
    return out;
  }
  if (const auto date = parse_iso(bare)) return *date;
  return not_a(text, "seconds or a date such as 2024-03-01T10:00");
}

std::optional<double> parse_mangled_month(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  std::string_view month = text.substr(0, dash);
  std::string_view year = text.substr(dash + 1);
  if (month_number(month) == 0) std::swap(month, year);
  int number = 0;
  Scanner scan{year};
  if (month_number(month) == 0 || !scan.digits(1, 2, number) || !scan.at_end()) return std::nullopt;
  return start_of_day(number < 50 ? 2000 + number : 1900 + number, month_number(month), 1);
}

std::string format_date(double seconds) {
  auto whole = static_cast<std::int64_t>(std::floor(seconds));
  auto micros = std::llround((seconds - std::floor(seconds)) * 1e6);
  if (micros == 1'000'000) {
    ++whole;
    micros = 0;
  }
  const std::chrono::sys_seconds time{std::chrono::seconds{whole}};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  std::string out =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  clock.hours().count(), clock.minutes().count());
  if (clock.seconds().count() != 0 || micros != 0) {
    out += fmt::format(":{:02}", clock.seconds().count());
  }
  if (micros != 0) {
    out += fmt::format(".{:06}", micros);
    out.resize(out.find_last_not_of('0') + 1);
  }
  return out;
}

}  // namespace holdfast
