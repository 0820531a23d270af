#include "holdfast/domains/sketch/validate.hpp"

#include <fmt/format.h>

#include <cmath>

namespace holdfast::sketch {

Status validate(const Instance& instance, std::span<const ScheduleRow> rows,
                const Metrics& metrics) {
  double now = 0, done = 0;
  std::int64_t struck = 0;
  std::size_t i = 0;
  auto next = instance.dates->begin();
  const auto violation = [&](std::string_view what) {
    return fail(ErrorCode::bad_value, fmt::format("row {}", i), std::string(what));
  };
  for (; i < rows.size(); ++i) {
    const ScheduleRow& row = rows[i];
    if (row.start != now || row.end < row.start) return violation("does not follow the last");
    now = row.end;
    while (next != instance.dates->end() && *next < row.start) ++next;
    const double date = next == instance.dates->end() ? INFINITY : *next;
    if (date < row.end) return violation("goes on after a failure");
    if (row.lost && date != row.end) return violation("is lost without a failure");
    if (row.lost) ++struck, ++next;
    if (!row.lost && row.end < row.start + instance.save) return violation("is without a save");
    if (!row.lost) done += row.end - row.start - instance.save;
  }
  // Sums of a few thousand terms: rounding stays far below this.
  if (!(std::abs(done - instance.work) <= 1e-9 * now)) return violation("the work does not add up");
  if (metrics.makespan != now) return violation("the makespan differs");
  if (metrics.failures != struck) return violation("the number of failures differs");
  return {};
}

}  // namespace holdfast::sketch
