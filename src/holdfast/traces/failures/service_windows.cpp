#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"
#include "holdfast/traces/text/words.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace holdfast {
namespace {

struct WindowAt {
  enum : std::size_t { start, end };
};
constexpr auto kWindowFields = std::to_array<TableField>({
    {.name = "start", .is = CellKind::date, .synonyms = "starttime begin", .need = 1},
    {.name = "end", .is = CellKind::date, .synonyms = "endtime finish", .need = 2},
});
constexpr TableKind kWindowTable = {
    .records = "windows out of service",
    .fields = kWindowFields,
    .strangers = "node host hostname job jobid user submit value power mw processors cores nodes",
    .in_order = 2,
    .is_without_numbers = true,
};

/// Reads windows in which a whole machine was out of service: two dates per line (planned maintenance of Mira).
Result<FailureLog> read_service_windows(TraceText text, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kWindowTable));
  HOLDFAST_TRY(notes, LogNotes::of(rows.comments()));
  FailureLogBuilder builder{std::move(system)};
  HOLDFAST_CHECK(rows.each([&]() -> Status {
    HOLDFAST_TRY(start, rows.known_time(WindowAt::start));
    HOLDFAST_TRY(end, rows.known_time(WindowAt::end));
    builder.add({.system = "", .node = "machine", .down = start, .up = end, .line = rows.line()});
    return {};
  }));
  HOLDFAST_TRY(log, notes.finish(builder, "service-windows", rows.resolution(), true));
  rows.tell(log.oddities);
  return log;
}

bool looks_like_service_windows(std::string_view head) {
  std::vector<std::string_view> fields;
  std::string storage;
  const auto is_date = [](std::string_view cell) {
    const auto instant = parse_instant(trim(cell));
    return instant && instant->is_date;
  };
  return split_csv(first_row_of(head), fields, storage) && fields.size() == 2 &&
         std::ranges::all_of(fields, is_date);
}

}  // namespace

FormatOf<FailureLog> service_windows_format() {
  return {.facts = {.name = "service-windows",
                    .summary = "windows in which a machine was out of service (start,end)",
                    .recognise = looks_like_service_windows,
                    .table = &kWindowTable},
          .read = read_service_windows};
}

}  // namespace holdfast
