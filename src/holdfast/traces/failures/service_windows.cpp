#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/site_logs.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

Result<FailureLog> read_service_windows(LineReader lines, std::optional<std::string> system) {
  FailureLogBuilder builder{std::move(system)};
  double resolution = 86400;
  std::string_view line;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    if (trim(line).empty()) continue;
    const auto window = window_of(line);
    if (!window) {
      return fail(
          ErrorCode::bad_format, lines.place(),
          fmt::format("found {}, expected two dates, start,end", in_quotes(line.substr(0, 60))));
    }
    const auto& [start, end] = *window;
    resolution = std::min({resolution, start.resolution, end.resolution});
    builder.add(
        {.system = "", .node = "machine", .down = start.seconds, .up = end.seconds, .line = line});
  }
  return builder.finish("service-windows", resolution, true);
}

bool looks_like_service_windows(std::string_view head) {
  return window_of(head.substr(0, head.find('\n'))).has_value();
}

FormatOf<FailureLog> service_windows_format() {
  return {
      .facts = {.name = "service-windows",
                .summary =
                    "windows in which a machine was out of service (start,end without a header)",
                .recognise = looks_like_service_windows},
      .read = read_service_windows};
}

}  // namespace holdfast
