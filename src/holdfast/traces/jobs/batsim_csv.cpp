#include "holdfast/traces/jobs/batsim_csv.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/kernel/packing.hpp"
#include "holdfast/traces/jobs/job_fields.hpp"
#include "holdfast/traces/jobs/jobs_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace holdfast {
namespace {

std::string_view state_of(const LoggedJob& job) {
  if (job.status == 0) return "COMPLETED_FAILED";
  if (job.status == 5) return "COMPLETED_KILLED";
  return "COMPLETED_SUCCESSFULLY";
}

std::string row_of(const LoggedJob& job, const std::string& resources) {
  const double start = job.submit + job.wait;
  const double turnaround = job.wait + job.run;
  return fmt::format(
      "{},w0,{},{},{},{},{},{},{},{},{},{},{},{},{},-1,\n", job.number, job.number,
      to_text(job.submit), job.width(), job.requested_time > 0 ? to_text(job.requested_time) : "",
      job.status == 0 || job.status == 5 ? 0 : 1, state_of(job), to_text(start), to_text(job.run),
      to_text(start + job.run), to_text(job.wait), to_text(turnaround),
      job.run > 0 ? to_text(turnaround / job.run) : "", resources);
}

}  // namespace

Result<JobLogFacts> read_batsim_csv(TraceText text, const JobSink& sink) {
  constexpr std::string_view kColumns =
      "job=job_id,submit=submission_time,requested_processors=requested_number_of_resources,"
      "start=starting_time,run=execution_time,requested_time=requested_time?,state=final_state?";
  return read_job_rows(std::move(text).with(kColumns), sink, [](TableRows&, LoggedJob& job) {
    if (job.wait >= 0 || job.run >= 0) job.processors = job.requested_processors;
    return Status{};
  });
}

Result<Oddities> write_batsim_csv(const JobLog& log, const TextSink& sink) {
  std::vector<WideBar> bars;
  std::vector<const LoggedJob*> jobs;
  for (const LoggedJob& job : log.jobs) {
    if (job.submit < 0 || job.wait < 0 || job.run < 0 || job.width() < 1) continue;
    jobs.push_back(&job);
    const double start = job.submit + job.wait;
    bars.push_back({{start, start + job.run}, job.width()});
  }
  if (jobs.empty()) {
    return fail(
        ErrorCode::bad_value, "",
        "found no job whose start, run time and processors are known, expected at least one");
  }
  std::ranges::stable_sort(jobs, {}, [](const LoggedJob* job) { return job->submit + job->wait; });
  Packer packer(most_at_once(bars));
  SinkBuffer out(sink);
  std::int64_t other_width = 0, unknown_status = 0;
  out << "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_"
         "time,"
         "success,final_state,starting_time,execution_time,finish_time,waiting_time,"
         "turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n";
  for (const LoggedJob* job : jobs) {
    if (job->has_other_width()) ++other_width;
    if (job->status != 0 && job->status != 1 && job->status != 5) ++unknown_status;
    const double start = job->submit + job->wait;
    const auto taken = packer.place({start, start + job->run}, job->width(), {});
    out << row_of(*job, interval_set_text(taken));
  }
  HOLDFAST_CHECK(out.finish());
  Oddities lost;
  lost.add("jobs whose start, run time or processors are not known",
           static_cast<std::int64_t>(log.jobs.size() - jobs.size()), "left out");
  lost.add("jobs that had other processors than requested", other_width,
           "written with the number that they had");
  lost.add("jobs of a status that Batsim does not know, or of none", unknown_status,
           "written as completed");
  constexpr auto kKept =
      std::to_array<std::string_view>({"job", "submit", "wait", "run", "processors",
                                       "requested_processors", "requested_time", "status"});
  add_lost_fields(log.jobs, kKept, lost);
  return lost;
}

FormatOf<JobLog> batsim_csv_format() {
  return {
      .facts = {.name = "batsim-csv",
                .summary =
                    "jobs as Batsim ran them (prefix_jobs.csv; schedules have these columns too)",
                .columns = "job_id,submission_time,requested_number_of_resources,"
                           "starting_time,execution_time"},
      .read = read_batsim_csv,
      .write = write_batsim_csv};
}

}  // namespace holdfast
