#include "holdfast/answers/trace/facts.hpp"
#include "holdfast/answers/trace/fit_kinds.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/models/workload/arrivals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr double kResolution = 1;  // of the times of a batch log, seconds

struct Collected {
  std::vector<double> submits;
  std::vector<Lifetime> runs;
  std::int64_t no_submit = 0;
  std::int64_t no_run = 0;
  std::int64_t below_resolution = 0;
};

void collect(const LoggedJob& job, Collected& out) {
  if (job.submit >= 0) {
    out.submits.push_back(job.submit);
  } else {
    ++out.no_submit;
  }
  if (job.run < 0) {
    ++out.no_run;
    return;
  }
  out.below_resolution += job.run == 0 ? 1 : 0;
  out.runs.push_back(recorded_duration(job.run, kResolution));
}

std::string hours_line(const Arrivals& arrivals, bool is_utc) {
  std::size_t most = 24, least = 24;
  for (std::size_t hour = 0; hour < 24; ++hour) {
    if (!arrivals.by_hour[hour]) continue;
    if (most == 24 || *arrivals.by_hour[hour] > *arrivals.by_hour[most]) most = hour;
    if (least == 24 || *arrivals.by_hour[hour] < *arrivals.by_hour[least]) least = hour;
  }
  const auto times_mean = [&](std::size_t hour) {
    return to_text(*arrivals.by_hour[hour] / arrivals.rate, 3);
  };
  return fmt::format("busiest hour of the day {}:00 ({} times the mean), quietest {}:00 ({}); {}",
                     most, times_mean(most), least, times_mean(least),
                     is_utc ? "hours of UTC" : "hours of the log's own clock");
}

void describe_arrivals(const Arrivals& arrivals, bool is_utc, Answer& answer) {
  Value by_hour = Value::array();
  for (const auto& rate : arrivals.by_hour) by_hour.push(rate ? Value(*rate) : Value());
  Value out = Value::object({{"rate", arrivals.rate},
                             {"hours", arrivals.hours},
                             {"clock", is_utc ? "utc" : "log"},
                             {"by_hour", std::move(by_hour)}});
  if (arrivals.dispersion) {
    out.set("dispersion", *arrivals.dispersion);
    answer.lines.push_back(
        fmt::format("submissions in an hour: variance {} times the mean (1: a Poisson process)",
                    to_text(*arrivals.dispersion, 4)));
  }
  answer.document.set("arrivals", std::move(out));
  answer.lines.push_back(hours_line(arrivals, is_utc));
}

}  // namespace

Result<Answer> fit_jobs(const FormatOf<JobLog>& format, TraceText lines,
                        const FitQuestion& question) {
  Collected jobs;
  HOLDFAST_TRY(facts,
               format.read(std::move(lines), [&](const LoggedJob& job) { collect(job, jobs); }));
  Answer out;
  begin_fit(question, format.facts, out);
  add_fact(out, "jobs", "jobs", facts.jobs, fmt::format("{}", facts.jobs));

  std::vector<FittedQuantity> quantities;
  // Some logs write 0 if the start is unknown.
  const std::int64_t start = facts.number("UnixStartTime").value_or(0);
  for (double& submit : jobs.submits) submit += static_cast<double>(start);
  std::ranges::sort(jobs.submits);
  std::optional<Arrivals> arrivals;
  if (jobs.submits.size() >= 2 && jobs.submits.front() < jobs.submits.back()) {
    arrivals = arrivals_of(jobs.submits, kResolution);
    quantities.push_back(
        fit_quantity("between_submissions", "time between submissions", arrivals->gaps, question));
    add_fact(out, "period", "period", jobs.submits.back() - jobs.submits.front(),
             format_duration(jobs.submits.back() - jobs.submits.front()));
  } else {
    out.warnings.push_back("fewer than two instants of submission: no arrivals to fit");
  }
  if (!jobs.runs.empty()) {
    quantities.push_back(fit_quantity("run_time", "run time", std::move(jobs.runs), question));
  } else {
    out.warnings.push_back("no job with a run time: none to fit");
  }

  Value members = Value::object();
  for (const FittedQuantity& quantity : quantities) {
    members.set(quantity.name, quantity_document(quantity));
  }
  out.document.set("quantities", std::move(members));
  add_law_table(quantities, out);
  Oddities oddities;
  oddities.add("jobs without a submit time", jobs.no_submit, "left out of the arrivals");
  oddities.add("jobs of unknown run time", jobs.no_run, "left out of the run times");
  oddities.add("jobs of run time 0", jobs.below_resolution, "treated as below 1 s");
  add_oddities(oddities.list(), out);
  if (arrivals) describe_arrivals(*arrivals, start > 0, out);

  out.chart = {.title = picture_title(question.file, "arrivals and run times of jobs"),
               .x = {.title = "duration", .unit = "s", .is_logarithmic = true},
               .y = {.title = "probability to last longer", .unit = "", .shown = {0, 1}},
               .lines = {}};
  for (const FittedQuantity& quantity : quantities) {
    const bool is_run = quantity.name == "run_time";
    add_lines(quantity, is_run ? "run time" : "between jobs", out.chart);
  }
  return out;
}

}  // namespace holdfast
