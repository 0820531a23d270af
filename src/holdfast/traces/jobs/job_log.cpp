#include "holdfast/traces/jobs/job_log.hpp"

#include "holdfast/base/units.hpp"

namespace holdfast {

std::optional<std::int64_t> JobLogFacts::number(std::string_view name) const {
  for (const auto& [key, value] : header) {
    if (key != name) continue;
    if (const auto found = parse_integer(value)) return *found;
    return std::nullopt;
  }
  return std::nullopt;
}

Result<JobLog> FormatOf<JobLog>::read_all(TraceText text, const RecordsQuestion&) const {
  JobLog log;
  HOLDFAST_TRY(beside,
               read(std::move(text), [&](const LoggedJob& job) { log.jobs.push_back(job); }));
  log.facts = std::move(beside);
  return log;
}

}  // namespace holdfast
