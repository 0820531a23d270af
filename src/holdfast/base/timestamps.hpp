#pragma once

#include "holdfast/base/error.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Dates in logs, in seconds since 1970-01-01. A date without a time zone is treated as UTC, so that differences are those of
/// local time. Errors have no place: the reader adds file, line and column.
namespace holdfast {

/// Reads "m/d/yyyy H:MM" (6/21/2005 10:54): month first, no time zone, to the minute.
[[nodiscard]] Result<double> parse_month_first_minute(std::string_view text);

/// An hour, in seconds: what a clock is changed by.
inline constexpr double kClockHour = 3600;

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

/// Reads a month that a spreadsheet turned into a day: "5-Apr" is April 2005 (originally "05-Apr"), "Nov-96" is November 1996.
/// Returns the first second of that month, or nothing if the text is not such a month.
[[nodiscard]] std::optional<double> parse_mangled_month(std::string_view text);

/// Returns a date as "2005-09-09T13:47", with seconds to the microsecond if they are not 0.
[[nodiscard]] std::string format_date(double seconds);

}  // namespace holdfast
