#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/site_logs.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace holdfast {
namespace {

/// Returns the two dates of a line; nothing for any other line.
std::optional<std::pair<Instant, Instant>> window_of(std::string_view line) {
  std::vector<std::string_view> fields;
  std::string storage;
  if (!split_csv(trim(line), fields, storage) || fields.size() != 2) return std::nullopt;
  const auto start = parse_instant(trim(fields[0]));
  const auto end = parse_instant(trim(fields[1]));
  if (!start || !end || !start->is_date || !end->is_date) return std::nullopt;
  return std::pair(*start, *end);
}

struct WindowAt {
  enum : std::size_t { start, end };
};
constexpr auto kWindowFields = std::to_array<TableField>({
    {.name = "start", .is = CellKind::time, .synonyms = "starttime begin", .need = 1},
    {.name = "end", .is = CellKind::time, .synonyms = "endtime finish", .need = 2},
});
constexpr TableKind kWindowTable = {
    .records = "windows out of service",
    .fields = kWindowFields,
    .strangers = "node host hostname job jobid user submit value power mw processors cores nodes",
    .in_order = 2,
};

}  // namespace

Result<FailureLog> read_service_windows(TraceText text, std::optional<std::string> system) {
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kWindowTable));
  FailureLogBuilder builder{std::move(system)};
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) break;
    HOLDFAST_TRY(start, rows.time(WindowAt::start));
    HOLDFAST_TRY(end, rows.time(WindowAt::end));
    if (!start || !end || !start->is_date || !end->is_date) {
      return fail(ErrorCode::bad_format, rows.place(),
                  fmt::format("found {}, expected two dates, start,end",
                              in_quotes(rows.line().substr(0, 60))));
    }
    builder.add({.system = "",
                 .node = "machine",
                 .down = start->seconds,
                 .up = end->seconds,
                 .line = rows.line()});
  }
  HOLDFAST_TRY(log, builder.finish("service-windows", rows.resolution(), true));
  rows.tell(log.oddities);
  return log;
}

bool looks_like_service_windows(std::string_view head) {
  return window_of(head.substr(0, head.find('\n'))).has_value();
}

FormatOf<FailureLog> service_windows_format() {
  return {.facts = {.name = "service-windows",
                    .summary = "windows in which a machine was out of service (start,end)",
                    .recognise = looks_like_service_windows,
                    .table = &kWindowTable},
          .read = read_service_windows};
}

}  // namespace holdfast
