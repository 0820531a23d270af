#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/csv.hpp"
#include "holdfast/traces/site_logs.hpp"
#include "holdfast/traces/timestamps.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

constexpr auto kColumns =
    std::to_array<std::string_view>({"start", "stop", "length", "severity", "affected", "reason"});
constexpr double kHour = 3600;

/// "1.5 hours" in seconds; nothing where it is none.
std::optional<double> length_of(std::string_view text) {
  const std::size_t blank = text.find(' ');
  const auto number = parse_quantity(text.substr(0, blank), Unit::none);
  if (!number || blank == std::string_view::npos) return std::nullopt;
  const std::string_view unit = trim(text.substr(blank));
  if (unit.starts_with("hour")) return *number * kHour;
  if (unit.starts_with("minute")) return *number * 60;
  if (unit.starts_with("day")) return *number * 24 * kHour;
  return std::nullopt;
}

}  // namespace

Result<FailureLog> read_wynton_incidents(LineReader lines, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines)));
  HOLDFAST_TRY(at, rows.columns(kColumns));
  FailureLogBuilder builder{std::move(system)};
  std::int64_t other_length = 0, planned = 0, partial = 0;
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) break;
    const auto time = [&](std::size_t column) -> Result<double> {
      const auto instant = parse_instant(trim(rows[column]));
      if (instant && instant->is_date) return instant->seconds;
      return fail(ErrorCode::bad_value, rows.place(column),
                  fmt::format("found '{}', expected a date", rows[column]));
    };
    HOLDFAST_TRY(start, time(at[0]));
    double stop = std::numeric_limits<double>::infinity();
    if (!trim(rows[at[1]]).empty()) {
      HOLDFAST_TRY(stated, time(at[1]));
      stop = stated;
    }
    const auto length = length_of(trim(rows[at[2]]));
    if (length && std::abs(*length - (stop - start)) > kHour) ++other_length;
    if (trim(rows[at[5]]) == "scheduled") ++planned;
    if (rows[at[4]].find('*') == std::string_view::npos) ++partial;
    builder.add({.system = "", .node = "cluster", .down = start, .up = stop, .line = rows.line()});
  }
  HOLDFAST_TRY(log, builder.finish("wynton-incidents", 60, true));
  log.oddities.add("lengths that disagree with stop minus start by more than an hour", other_length,
                   "the two times are used");
  log.oddities.add("incidents that were scheduled", planned,
                   "kept: the cluster was out of service");
  log.oddities.add("incidents that did not affect all (*)", partial,
                   "kept as outages of the cluster");
  return log;
}

bool looks_like_wynton_incidents(std::string_view head) {
  return csv_header_has(head, kColumns);
}

}  // namespace holdfast
