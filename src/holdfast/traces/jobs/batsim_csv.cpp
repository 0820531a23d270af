#include "holdfast/traces/jobs/batsim_csv.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/kernel/packing.hpp"
#include "holdfast/traces/jobs/job_fields.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace holdfast {
namespace {

constexpr auto kBatsimColumns =
    std::to_array<std::string_view>({"job_id", "submission_time", "requested_number_of_resources",
                                     "starting_time", "execution_time"});
enum Column : std::size_t { kId, kSubmitted, kResources, kStarted, kRan };
constexpr double kMostResources = 1e15;

class ScheduleReader {
 public:
  ScheduleReader(CsvReader rows, std::vector<std::size_t> at)
      : rows_{std::move(rows)},
        at_{std::move(at)},
        requested_time_{rows_.column("requested_time")},
        state_{rows_.column("final_state")} {}

  Result<JobLogFacts> read(const JobSink& sink) {
    for (;;) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      HOLDFAST_TRY(job, next());
      ++facts_.jobs;
      sink(job);
    }
    if (facts_.jobs == 0) {
      return fail(ErrorCode::bad_format, rows_.place(), "found no job, expected at least one");
    }
    facts_.has_own_clock = true;
    Oddities& odd = facts_.oddities;
    odd.add("jobs whose id is no number", renamed_, "numbered by their position");
    odd.add("jobs submitted before the one above", disordered_, "kept in the order of the file");
    odd.add("jobs that never started", unstarted_, "no wait and no run time");
    odd.add("jobs that started before they were submitted", reversed_, "no wait");
    return std::move(facts_);
  }

 private:
  /// Returns the time in a column; nothing if the cell is empty.
  Result<std::optional<double>> time(std::size_t column) const {
    const std::string_view text = trim(rows_[column]);
    if (text.empty()) return std::optional<double>{};
    const auto value = parse_quantity(text, Unit::seconds);
    if (value) return std::optional<double>{*value};
    return fail(ErrorCode::bad_value, rows_.place(column),
                fmt::format("found {}, expected a number of seconds", in_quotes(text)));
  }

  Result<LoggedJob> next() {
    LoggedJob job;
    const auto number = parse_integer(trim(rows_[at_[kId]]));
    const bool is_kept = number && std::abs(static_cast<double>(*number)) <= kMostResources;
    job.number = is_kept ? *number : facts_.jobs;
    if (!is_kept) ++renamed_;
    HOLDFAST_TRY(submitted, time(at_[kSubmitted]));
    if (!submitted) {
      return fail(ErrorCode::bad_value, rows_.place(at_[kSubmitted]),
                  "found nothing, expected when the job was submitted");
    }
    job.submit = *submitted;
    if (facts_.jobs > 0 && job.submit < latest_) ++disordered_;
    latest_ = job.submit;
    const auto resources = parse_quantity(trim(rows_[at_[kResources]]), Unit::none);
    if (!resources || !(*resources >= 0 && *resources <= kMostResources)) {
      return fail(ErrorCode::bad_value, rows_.place(at_[kResources]),
                  fmt::format("found {}, expected a number of resources",
                              in_quotes(rows_[at_[kResources]])));
    }
    job.requested_processors = static_cast<std::int64_t>(*resources);
    HOLDFAST_CHECK(read_run(job));
    return job;
  }

  Status read_run(LoggedJob& job) {
    HOLDFAST_TRY(started, time(at_[kStarted]));
    HOLDFAST_TRY(ran, time(at_[kRan]));
    if (!started || *started < 0) {
      ++unstarted_;
    } else {
      if (*started >= job.submit) job.wait = *started - job.submit;
      if (*started < job.submit) ++reversed_;
      job.processors = job.requested_processors;
      if (ran && *ran >= 0) job.run = *ran;
    }
    if (requested_time_) {
      HOLDFAST_TRY(requested, time(*requested_time_));
      if (requested && *requested > 0) job.requested_time = *requested;
    }
    if (state_) job.status = status_of(trim(rows_[*state_]));
    return {};
  }

  static std::int64_t status_of(std::string_view state) {
    if (state == "COMPLETED_SUCCESSFULLY") return 1;
    if (state == "COMPLETED_FAILED" || state == "COMPLETED_WALLTIME_REACHED") return 0;
    if (state == "COMPLETED_KILLED" || state == "REJECTED") return 5;
    return -1;
  }

  CsvReader rows_;
  std::vector<std::size_t> at_;
  std::optional<std::size_t> requested_time_;
  std::optional<std::size_t> state_;
  JobLogFacts facts_;
  double latest_ = 0;
  std::int64_t renamed_ = 0, disordered_ = 0, unstarted_ = 0, reversed_ = 0;
};

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

Result<JobLogFacts> read_batsim_csv(LineReader lines, const JobSink& sink) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines)));
  HOLDFAST_TRY(at, rows.columns(kBatsimColumns));
  return ScheduleReader(std::move(rows), std::move(at)).read(sink);
}

bool looks_like_batsim_csv(std::string_view head) {
  return csv_header_has(head, kBatsimColumns);
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
                .recognise = looks_like_batsim_csv},
      .read = read_batsim_csv,
      .write = write_batsim_csv};
}

}  // namespace holdfast
