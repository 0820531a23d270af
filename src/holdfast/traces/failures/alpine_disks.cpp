#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <array>

namespace holdfast {
namespace {

constexpr auto kDiskFields = std::to_array<TableField>({{.name = "Timestamp", .is = CellKind::date},
                                                        {.name = "SSC"},
                                                        {.name = "SSU"},
                                                        {.name = "Enclosure"},
                                                        {.name = "Slot"}});
constexpr TableKind kDiskTable = {.records = "failures of disks", .fields = kDiskFields};
constexpr std::string_view kDiskColumns = "Timestamp,SSC,SSU,Enclosure,Slot";

/// Reads the disk failures of the file system Alpine, each as an outage of length 0 of the disk in that slot.
Result<FailureLog> read_alpine_disks(TraceText text, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, TableRows::open_site(std::move(text), kDiskTable, kDiskColumns));
  HOLDFAST_TRY(notes, LogNotes::of(rows.comments()));
  FailureLogBuilder builder{std::move(system)};
  HOLDFAST_CHECK(rows.each([&]() -> Status {
    HOLDFAST_TRY(time, rows.known_time(0));
    const std::string disk =
        fmt::format("{}.{}.{}.{}", rows.text(1), rows.text(2), rows.text(3), rows.text(4));
    builder.add({.system = "", .node = disk, .down = time, .up = time, .line = rows.line()});
    return {};
  }));
  HOLDFAST_TRY(log, notes.finish(builder, "alpine-disks", rows.resolution(), true));
  log.oddities.add("columns of other names, or none", std::ssize(rows.reading().unused()),
                   "not used");
  return log;
}

}  // namespace

FormatOf<FailureLog> alpine_disks_format() {
  return {.facts = {.name = "alpine-disks",
                    .summary = "disk failures of the file system Alpine (CSV)",
                    .columns = kDiskColumns},
          .read = read_alpine_disks};
}

}  // namespace holdfast
