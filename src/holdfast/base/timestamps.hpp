#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Dates in logs, in seconds since 1970-01-01. A date without a time zone is treated as UTC, so that differences are those of
/// local time. Errors have no place: the reader adds file, line and column.
namespace holdfast {

/// An hour, in seconds: what a clock is changed by.
inline constexpr double kClockHour = 3600;
/// A day, in seconds: the resolution of a date without a time of day.
inline constexpr double kClockDay = 86400;

/// One instant of a log: a number of seconds, or a date.
struct Instant {
  double seconds = 0;  ///< seconds on the log's clock, or for a date since 1970-01-01
  bool is_date = false;
  /// The smallest part of the date that was written, in seconds; 0 for a number.
  double resolution = 0;
};

/// Reads a number of seconds, or a date in ISO 8601: 2024-03-01, 2024-03-01T10:00, 2024-03-01 10:00:05.25, with or without
/// Z, +01:00 or -0500 at the end.
[[nodiscard]] Result<Instant> parse_instant(std::string_view text);

/// Which number comes first in a date such as 03/01/2025.
enum class DayOrder : std::uint8_t { unknown, day_first, month_first };

/// How a date is written. All dates of a column should be written alike.
enum class DateShape : std::uint8_t {
  iso,         ///< 2025-03-01
  year_first,  ///< 2025/03/01, 2025.03.01
  slashed,     ///< 03/01/2025 or 3-1-25: the order of day and month is not certain
  dotted,      ///< 01.03.2025: day first
  worded,      ///< 1 Mar 2025, Mar 1, 2025, Sat, 01 Mar 2025, Sat Mar  1 10:00:00 2025
};

/// A date as it was written.
struct WrittenDate {
  Instant instant;
  DateShape shape = DateShape::iso;
  /// The order that the date itself proves, because one of its numbers is greater than 12.
  DayOrder proven = DayOrder::unknown;
};

/// Reads a date in any common form, with or without a clock time (24 hours, or 12 with AM or PM) and a zone (Z, UTC, GMT, an
/// offset; other names of zones are local time). Of a range "A - B" it reads the beginning. Nothing: the text is no date.
/// @param order  of day and month; unknown: as the date proves, otherwise month first
[[nodiscard]] std::optional<WrittenDate> read_written_date(std::string_view text,
                                                           DayOrder order = DayOrder::unknown);

/// Reads a month that a spreadsheet turned into a day: "5-Apr" is April 2005 (originally "05-Apr"), "Nov-96" is November 1996.
/// Returns the first second of that month, or nothing if the text is not such a month.
[[nodiscard]] std::optional<double> parse_mangled_month(std::string_view text);

/// Returns a date as "2005-09-09T13:47", with seconds to the microsecond if they are not 0.
[[nodiscard]] std::string format_date(double seconds);

}  // namespace holdfast
