#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

/// The unit of a number. The library computes in SI base units, held in `double` (seconds, bytes, bytes per second). Other
/// units exist only where text is read or written.
enum class Unit : std::uint8_t {
  none,
  seconds,
  bytes,
  bytes_per_second,
  per_second,
  slots,         ///< time steps of a simulator in discrete time
  core_seconds,  ///< cores held x time
};

/// A year of 365 days in seconds, as the sources count it.
inline constexpr double kYear = 365.0 * 86400.0;

/// Returns "s", "B", "B/s", "1/s", "slots", "core s", or an empty text.
[[nodiscard]] std::string_view symbol(Unit unit);

/// Reads quantities as people write them. A bare number is in the base unit. Blanks may stand between a number and its unit.
///   durations        "600s", "10min", "20m" (minutes), "1.5h", "5 days", "10y", "1h30min", and in the style of
///                     clocks and Slurm "12:30:00" (h:mm:ss) and "1-12:00:00" (d-hh:mm:ss); "30:00" is refused as ambiguous.
///                     "1TB@10GB/s" is the time that a size takes at a bandwidth
///   sizes            "512MB", "1GiB"; "10G" is refused, because it may mean powers of 1000 or of 1024
///   bandwidths       "2.5GB/s"
///   rates            "0.5/h"
///   plain numbers    "0.2", "1/5"
/// @returns a finite number; in an error, `where` is empty and the caller fills it in
[[nodiscard]] Result<double> parse_quantity(std::string_view text, Unit unit);

/// Reads a whole number, also with a power of ten ("1e6"). A number that does not fit into 64 signed bits is an error.
[[nodiscard]] Result<std::int64_t> parse_integer(std::string_view text);

/// Returns a number of seconds in the largest unit in which it is whole ("1h", "90min"), bytes and bandwidths with the prefix
/// that makes the text shortest ("256MiB", "20GB/s"), and other quantities as plain numbers. parse_quantity() reads the text
/// back.
[[nodiscard]] std::string exact_text(double value, Unit unit);

/// Returns a duration for people, in at most two units: "48 h", "2 d 3 h", "1 min 30 s", "12.3 ms".
[[nodiscard]] std::string format_duration(double seconds);

/// Returns any quantity for people: durations as above, bytes with binary prefixes ("1.5 GiB"), numbers to 6 digits.
[[nodiscard]] std::string format_quantity(double value, Unit unit);

}  // namespace holdfast
