#include "holdfast/traces/failure_causes.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast {

std::string with_cause(std::string_view where, std::string_view cause) {
  return fmt::format("{}{}cause='~{}'", where, where.empty() ? "" : ",", cause);
}

Error without_cause(Error error, std::string_view cause) {
  const bool is_empty = error.message == "found no outage, expected at least one";
  if (is_empty && !cause.empty())
    error.message += fmt::format(" whose cause contains {}", in_quotes(cause));
  return error;
}

Result<std::int64_t> failures_of_cause(const std::filesystem::path& file, ReadAs as,
                                       const std::optional<std::string>& system,
                                       std::string_view cause) {
  if (file == "-")
    return fail(ErrorCode::bad_value, {},
                "found with standard input, which is read once, expected a file");
  as.table.where = with_cause(as.table.where, cause);
  HOLDFAST_TRY(trace, open_trace(file, as, formats_of<FailureLog>()));
  const auto log = trace.format->as<FailureLog>()->read(std::move(trace.lines), system);
  if (!log) return fail(without_cause(log.error(), cause));
  return log->rows;
}

}  // namespace holdfast
