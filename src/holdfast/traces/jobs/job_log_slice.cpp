#include "holdfast/traces/jobs/job_log.hpp"
#include "holdfast/traces/text/slicing.hpp"

#include <string>
#include <vector>

namespace holdfast {

Result<JobLog> sliced(JobLog log, const SliceQuestion& question) {
  HOLDFAST_CHECK(slicing::check_lacking(question, true, false, true, "jobs name"));
  std::optional<double> zero;
  if (const auto start = log.facts.number("UnixStartTime")) zero = static_cast<double>(*start);
  HOLDFAST_TRY(window, slicing::window_of(question, false, zero));
  std::erase_if(log.jobs, [&](const LoggedJob& job) { return !window.holds(job.submit); });
  if (log.jobs.empty()) return slicing::nothing_left(question, "job");
  if (question.sample) {
    HOLDFAST_TRY(is_drawn, slicing::drawn(log.jobs.size(), *question.sample, question.seed));
    slicing::keep(log.jobs, is_drawn);
  }
  log.facts.jobs = static_cast<std::int64_t>(log.jobs.size());
  for (auto& [name, value] : log.facts.header) {
    if (name == "MaxJobs" || name == "MaxRecords") value = std::to_string(log.facts.jobs);
  }
  return log;
}

}  // namespace holdfast
