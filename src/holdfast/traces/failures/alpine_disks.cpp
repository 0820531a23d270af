#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/site_logs.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr auto kDiskColumns =
    std::to_array<std::string_view>({"Timestamp", "SSC", "SSU", "Enclosure", "Slot"});

}  // namespace

Result<FailureLog> read_alpine_disks(LineReader lines, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines)));
  HOLDFAST_TRY(at, rows.columns(kDiskColumns));
  FailureLogBuilder builder{std::move(system)};
  double resolution = 1;
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) break;
    const auto instant = parse_instant(trim(rows[at[0]]));
    if (!instant || !instant->is_date) {
      return fail(ErrorCode::bad_value, rows.place(at[0]),
                  fmt::format("found {}, expected a date", in_quotes(rows[at[0]])));
    }
    resolution = std::min(resolution, instant->resolution);
    const std::string disk = fmt::format("{}.{}.{}.{}", trim(rows[at[1]]), trim(rows[at[2]]),
                                         trim(rows[at[3]]), trim(rows[at[4]]));
    builder.add({.system = "",
                 .node = disk,
                 .down = instant->seconds,
                 .up = instant->seconds,
                 .line = rows.line()});
  }
  HOLDFAST_TRY(log, builder.finish("alpine-disks", resolution, true));
  const auto unused = static_cast<std::int64_t>(rows.header().size() - kDiskColumns.size());
  log.oddities.add("columns of other names, or none", unused, "not used");
  return log;
}

bool looks_like_alpine_disks(std::string_view head) {
  return csv_header_has(head, kDiskColumns);
}

FormatOf<FailureLog> alpine_disks_format() {
  return {.facts = {.name = "alpine-disks",
                    .summary = "disk failures of the file system Alpine (CSV)",
                    .recognise = looks_like_alpine_disks},
          .read = read_alpine_disks};
}

}  // namespace holdfast
