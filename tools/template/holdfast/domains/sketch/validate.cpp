#include "holdfast/domains/sketch/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace holdfast::sketch {
namespace {

struct Row {
  std::string_view kind;
  double start = 0;
  double end = 0;
  bool lost = false;
};

Row row_of(const Timeline& timeline, std::size_t index) {
  const auto cells = timeline.row(index);
  return {.kind = std::get<std::string_view>(cells[0]),
          .start = std::get<double>(cells[1]),
          .end = std::get<double>(cells[2]),
          .lost = std::get<bool>(cells[3])};
}

Status violation(std::size_t row, std::string_view what) {
  return fail(ErrorCode::bad_value, fmt::format("row {}", row), std::string(what));
}

// Sums of a few thousand terms: rounding stays far below this.
bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

}  // namespace

Status validate(const Instance& instance, Failures failures, const Timeline& timeline,
                const Metrics& metrics) {
  double now = 0, done = 0;
  std::int64_t struck = 0;
  for (std::size_t i = 0; i < timeline.rows(); ++i) {
    const Row row = row_of(timeline, i);
    if (row.start != now || row.end < row.start) return violation(i, "does not follow the last");
    now = row.end;
    while (failures.next() < row.start) failures.pass();
    // Nothing but the end of a row that is lost may be struck.
    const bool hit = failures.next() < row.end;
    if (hit) return violation(i, "goes on after a failure");
    const bool ends_attempt =
        row.lost && (i + 1 == timeline.rows() || row_of(timeline, i + 1).kind == "work");
    if (ends_attempt && failures.next() != row.end)
      return violation(i, "is lost without a failure");
    if (ends_attempt) {
      ++struck;
      failures.pass();
    }
    if (row.lost) continue;
    if (row.kind == "work") done += row.end - row.start;
    if (row.kind == "save" && !near(row.end - row.start, instance.save)) {
      return violation(i, "is a save of another length");
    }
  }
  const std::size_t last = timeline.rows();
  if (!near(done, instance.work)) return violation(last, "the work does not add up");
  if (metrics.makespan != now) return violation(last, "the makespan is another");
  if (metrics.failures != struck) return violation(last, "the number of failures is another");
  return {};
}

}  // namespace holdfast::sketch
