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
  /// Reads letters, with the accents of western Europe; empty if there are none.
  std::string_view word() {
    std::size_t count = 0;
    while (count < rest_.size()) {
      const bool has_accent = rest_[count] == '\xC3' && count + 1 < rest_.size();
      if (!has_accent && !is_letter(rest_[count])) break;
      count += has_accent ? 2 : 1;
    }
    const std::string_view found = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return found;
  }
  /// Reads one of these characters; NUL if there is none of them.
  char one_of(std::string_view expected) {
    if (rest_.empty() || expected.find(rest_.front()) == expected.npos) return '\0';
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }
  void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  /// Reads AM or PM, and returns its first letter.
  std::optional<char> half_of_day() {
    const std::size_t first = std::min(rest_.find_first_not_of(' '), rest_.size());
    const std::string_view half = rest_.substr(first, 2);
    if (half.size() < 2 || (half[1] != 'M' && half[1] != 'm')) return std::nullopt;
    const char letter = half[0] == 'a' || half[0] == 'A'   ? 'A'
                        : half[0] == 'p' || half[0] == 'P' ? 'P'
                                                           : '\0';
    const bool goes_on = rest_.size() > first + 2 && is_letter(rest_[first + 2]);
    if (letter == '\0' || goes_on) return std::nullopt;
    rest_.remove_prefix(first + 2);
    return letter;
  }
  /// Passes the end of a range: " - " or "/" and a date, which is not read.
  bool skip_range() {
    if (!is_at_range()) return false;
    const std::size_t next = std::min(rest_.find_first_not_of("-/ \xE2\x80\x93"), rest_.size());
    rest_.remove_prefix(next);
    const bool is_date = count_digits() > 0;
    rest_ = {};
    return is_date;
  }
  [[nodiscard]] bool is_at_range() const {
    return rest_.starts_with("- ") || rest_.starts_with("/") || rest_.starts_with("\xE2\x80\x93") ||
           rest_.starts_with(" - ");
  }
  [[nodiscard]] std::size_t count_digits() const {
    return std::min(rest_.find_first_not_of("0123456789"), rest_.size());
  }
  [[nodiscard]] bool is_clock() const {
    const std::size_t count = count_digits();
    return count > 0 && count < rest_.size() && rest_[count] == ':';
  }
  [[nodiscard]] bool is_blank() const { return rest_.starts_with(' '); }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

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

/// Reads the clock time; without seconds it is exact to the minute.
bool read_clock(Scanner& scan, Instant& out) {
  int hour = 0, minute = 0, second = 0;
  if (!scan.digits(1, 2, hour)) return false;
  if (const auto half = scan.half_of_day()) {  // 10 AM
    out.seconds += 3600.0 * (hour % 12 + (*half == 'P' ? 12 : 0));
    out.resolution = kClockHour;
    return hour >= 1 && hour <= 12;
  }
  if (scan.at_end()) {  // 2025-03-01T10
    out.seconds += 3600.0 * hour;
    out.resolution = kClockHour;
    return hour <= 23;
  }
  const char mark = scan.one_of(":.h");  // 10:05, 10.05 and 10h05
  if (mark == '\0' || !scan.digits(2, 2, minute)) return false;
  out.resolution = 60;
  double part = 0;
  if (mark != 'h' && scan.literal(mark)) {
    if (!scan.digits(2, 2, second)) return false;
    out.resolution = 1;
    if (scan.literal('.') || scan.literal(',')) {
      if (!scan.fraction(part)) return false;
      out.resolution = 0;
    }
  }
  if (const auto half = scan.half_of_day()) {
    if (hour < 1 || hour > 12) return false;
    hour = hour % 12 + (*half == 'P' ? 12 : 0);
  }
  out.seconds += 3600.0 * hour + 60.0 * minute + second + part;
  const bool is_end_of_day = hour == 24 && minute == 0 && second == 0;
  return is_end_of_day || (hour <= 23 && minute <= 59 && second <= 60);  // 60: a leap second
}

/// Reads a zone, or nothing. A name other than Z, UTC and GMT is that of local time.
bool read_zone(Scanner& scan, Instant& out) {
  scan.blanks();
  if (scan.at_end() || scan.literal('Z')) return true;
  if (const std::string_view name = scan.word(); !name.empty()) {
    return name.size() >= 2 && name.size() <= 5 && name.front() >= 'A' && name.front() <= 'Z';
  }
  if (scan.is_at_range()) return true;
  const bool east = scan.literal('+');
  if (!east && !scan.literal('-')) return true;  // a year, or what does not belong to a date
  int hours = 0;
  int minutes = 0;
  if (!scan.digits(2, 2, hours)) return false;
  scan.literal(':');
  if (!scan.at_end() && !scan.is_blank() && !scan.digits(2, 2, minutes)) return false;
  out.seconds -= (east ? 1 : -1) * (3600.0 * hours + 60.0 * minutes);
  scan.blanks();
  scan.word();  // "+0000 UTC"
  return hours <= 14 && minutes <= 59;
}

/// Returns a text in small letters, those with accents included.
std::string small_letters(std::string_view text) {
  std::string out = lower_case(text);
  for (std::size_t i = 1; i < out.size(); ++i) {
    const auto byte = static_cast<unsigned char>(out[i]);
    if (out[i - 1] == '\xC3' && byte < 0x9F) out[i] = static_cast<char>(byte | 0x20);
  }
  return out;
}

/// Returns true if a word is one of several, separated by blanks, or its first letters, at least so many.
bool begins_one_of(std::string_view word, std::string_view words, std::size_t fewest) {
  if (word.size() < fewest) return false;
  for (const std::string_view one : split(words, ' ')) {
    if (one.starts_with(word)) return true;
  }
  return false;
}

/// Returns the number of a month by its English, German, French, Spanish, Italian, Portuguese or Dutch name or the first letters
/// of it; 0: the word is no month, or it may be several.
int month_number(std::string_view name) {
  static constexpr auto kMonths = std::to_array<std::string_view>(
      {"january januar jänner janvier enero gennaio janeiro januari",
       "february februar février fevrier febrero febbraio fevereiro februari",
       "march märz maerz mrz mars marzo março maart", "april avril abril aprile",
       "may mai mayo maggio maio mei", "june juni juin junio giugno junho",
       "july juli juillet julio luglio julho", "august août aout agosto augustus",
       "september septembre septiembre settembre setembro",
       "october oktober octobre octubre ottobre outubro", "november novembre noviembre novembro",
       "december dezember décembre decembre diciembre dicembre dezembro"});
  constexpr std::size_t kShort = 3;
  const std::string lower = small_letters(name);
  int found = 0;
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (!begins_one_of(lower, kMonths[i], kShort)) continue;
    if (found > 0) return 0;  // "jui"
    found = static_cast<int>(i) + 1;
  }
  return found;
}

bool is_weekday(std::string_view name) {
  constexpr std::string_view kDays =
      "monday tuesday wednesday thursday friday saturday sunday lundi mardi mercredi jeudi "
      "vendredi "
      "samedi dimanche lunes martes miércoles jueves viernes sábado domingo";
  constexpr std::string_view kShortDays =
      "montag dienstag mittwoch donnerstag freitag samstag sonntag";
  const std::string lower = small_letters(name);
  return begins_one_of(lower, kDays, 3) || begins_one_of(lower, kShortDays, 2);
}

/// Reads dates in every form.
class DateReader {
 public:
  DateReader(std::string_view text, DayOrder order) : scan_{text}, order_{order} {}

  std::optional<WrittenDate> read() {
    std::string_view word = scan_.word();
    if (!word.empty() && month_number(word) == 0) {
      if (!is_weekday(word)) return std::nullopt;
      scan_.literal('.');
      scan_.literal(',');
      scan_.blanks();
      word = scan_.word();
    }
    if (!(word.empty() ? read_numbers() : read_month_and_day(word))) return std::nullopt;
    Instant& instant = out_.instant;
    instant = {.seconds = 0, .is_date = true, .resolution = 86400};
    if (!read_rest()) return std::nullopt;
    if (year_ < 100) year_ += year_ < 70 ? 2000 : 1900;
    const auto start = start_of_day(year_, month_, day_);
    if (!start) return std::nullopt;
    instant.seconds += *start;
    return out_;
  }

 private:
  // "Mar 1, 2025", "Mar-01-2025", and "Mar  1 10:00:00 2025", whose year comes last.
  bool read_month_and_day(std::string_view word) {
    month_ = month_number(word);
    out_.shape = DateShape::worded;
    scan_.literal('.');
    scan_.one_of("-/");
    scan_.blanks();
    if (month_ == 0 || !scan_.digits(1, 2, day_)) return false;
    const bool has_mark = scan_.one_of("-/") != '\0';
    if (!has_mark) scan_.literal(',');
    scan_.blanks();
    year_is_last_ = scan_.is_clock();
    return year_is_last_ || (has_mark ? read_short_year() : scan_.digits(4, 4, year_));
  }

  bool read_short_year() {
    const std::size_t length = scan_.count_digits();
    return (length == 2 || length == 4) && scan_.digits(2, 4, year_);
  }

  // "Mar" of "1 Mar 2025", "1. März 2025", "1 de marzo de 2025".
  bool read_month_and_year(std::string_view word) {
    const auto skip_of = [&] {
      scan_.blanks();
      word = scan_.word();
    };
    if (word == "de") skip_of();
    month_ = month_number(word);
    out_.shape = DateShape::worded;
    const bool has_point = scan_.literal('.');
    if (month_ == 0 || (scan_.one_of("-/ ") == '\0' && !has_point)) return false;
    scan_.blanks();
    if (scan_.count_digits() == 0) {
      skip_of();
      if (word != "de" && word != "del") return false;
      scan_.blanks();
    }
    return scan_.digits(2, 4, year_);
  }

  bool read_numbers() {
    int first = 0;
    const std::size_t digits = scan_.count_digits();
    if (!scan_.digits(1, 4, first) || digits == 3) return false;
    const char mark = scan_.one_of("-/. ");
    if (mark == '\0') return false;
    if (digits == 4) {
      year_ = first;
      out_.shape = mark == '-' ? DateShape::iso : DateShape::year_first;
      return mark != ' ' && scan_.digits(1, 2, month_) && scan_.literal(mark) &&
             scan_.digits(1, 2, day_);
    }
    if (mark == '.') scan_.blanks();
    if (const std::string_view word = scan_.word(); !word.empty()) {
      day_ = first;
      return read_month_and_year(word);
    }
    int second = 0;
    if (mark == ' ' || !scan_.digits(1, 2, second) || !scan_.literal(mark)) return false;
    if (mark == '.') scan_.blanks();
    if (!read_short_year()) return false;
    out_.shape = mark == '.' ? DateShape::dotted : DateShape::slashed;
    if (first > 12) out_.proven = DayOrder::day_first;
    if (second > 12) out_.proven = DayOrder::month_first;
    const DayOrder order = order_ != DayOrder::unknown ? order_ : out_.proven;
    const bool is_day_first = mark == '.' || order == DayOrder::day_first;
    day_ = is_day_first ? first : second;
    month_ = is_day_first ? second : first;
    return true;
  }

  // The clock time, the zone, and the end of a range.
  bool read_rest() {
    if (scan_.at_end()) return true;
    if (scan_.literal('Z')) return scan_.at_end();
    const char mark = scan_.one_of("T,:_ ");
    if (mark == '\0' && !year_is_last_) return scan_.skip_range();
    scan_.blanks();
    if (mark == ' ' && scan_.skip_range()) return true;
    if (!read_clock(scan_, out_.instant) || !read_zone(scan_, out_.instant)) return false;
    if (year_is_last_) {
      scan_.blanks();
      if (!scan_.digits(4, 4, year_)) return false;
    }
    return scan_.at_end() || scan_.skip_range();
  }

  Scanner scan_;
  DayOrder order_;
  WrittenDate out_;
  int year_ = 0, month_ = 0, day_ = 0;
  bool year_is_last_ = false;
};

/// Reads "2025-03-01T10:00:00", which is how most programs write dates, in a fraction of the time. Nothing: any other text.
std::optional<WrittenDate> read_usual_date(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd";
  if (text.size() != kForm.size()) return std::nullopt;
  std::array<int, 6> part{};  // year, month, day, hour, minute, second
  for (std::size_t i = 0, at = 0; i < kForm.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == 'd' && is_digit) {
      part[at] = 10 * part[at] + (text[i] - '0');
    } else if (kForm[i] == 'd' || (text[i] != kForm[i] && !(i == 10 && text[i] == ' '))) {
      return std::nullopt;
    } else {
      ++at;
    }
  }
  const auto start = start_of_day(part[0], part[1], part[2]);
  if (!start || part[0] < 100 || part[3] > 23 || part[4] > 59 || part[5] > 60) return std::nullopt;
  WrittenDate out;
  out.instant = {.seconds = *start + 3600.0 * part[3] + 60.0 * part[4] + part[5],
                 .is_date = true,
                 .resolution = 1};
  return out;
}

/// Returns a date in digits alone, 20250301, 202503011000 or 20250301T100000Z, with marks between them; nothing for others.
std::optional<std::string> with_marks(std::string_view text) {
  constexpr std::size_t kDay = 8, kMinute = 4, kSecond = 6;
  const auto digits = [](std::string_view of) {
    return std::min(of.find_first_not_of("0123456789"), of.size());
  };
  const std::size_t count = digits(text);
  const bool is_century = text.starts_with("19") || text.starts_with("20");
  if (!is_century || (count != kDay && count != kDay + kMinute && count != kDay + kSecond))
    return std::nullopt;
  std::string out =
      fmt::format("{}-{}-{}", text.substr(0, 4), text.substr(4, 2), text.substr(6, 2));
  std::string_view rest = text.substr(kDay);
  if (rest.empty()) return out;
  if (std::string_view("T_- ").find(rest.front()) != std::string_view::npos) rest.remove_prefix(1);
  const std::size_t clock = digits(rest);
  out += "T" + std::string(rest.substr(0, 2));
  if (clock >= kMinute) out += ":" + std::string(rest.substr(2, 2));
  if (clock == kSecond) out += ":" + std::string(rest.substr(4, 2));
  return out + std::string(rest.substr(std::min(clock, rest.size())));
}

}  // namespace

std::optional<WrittenDate> read_written_date(std::string_view text, DayOrder order) {
  if (const auto usual = read_usual_date(text)) return usual;
  if (const auto marked = with_marks(trim(text))) return DateReader(*marked, order).read();
  return DateReader(trim(text), order).read();
}

Result<Instant> parse_instant(std::string_view text) {
  const std::string_view bare = trim(text);
  Instant out;
  const auto [end, status] = std::from_chars(bare.data(), bare.data() + bare.size(), out.seconds);
  if (status == std::errc{} && end == bare.data() + bare.size() && std::isfinite(out.seconds)) {
    return out;
  }
  const auto date = read_written_date(bare);
  if (date && date->shape == DateShape::iso) return date->instant;
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
  if (month_number(month) == 0 || month.size() != 3 || !scan.digits(1, 2, number) || !scan.at_end())
    return std::nullopt;
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
