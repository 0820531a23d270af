#include "holdfast/answers/trace/info_workload.hpp"

#include "holdfast/answers/trace/facts.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

// Logs may not be in the order of submission, so the dates are sorted: the gaps are those between neighbours in time.
std::vector<double> gaps_between(std::vector<double> submits) {
  std::sort(submits.begin(), submits.end());
  std::adjacent_difference(submits.begin(), submits.end(), submits.begin());
  if (!submits.empty()) submits.erase(submits.begin());
  return submits;
}

}  // namespace

Result<Answer> describe_jobs(const FormatOf<JobLog>& format, TraceText lines, Answer answer) {
  std::vector<double> submits, run, width, wait, requested, gpus;
  double work = 0, end = 0;
  const auto take = [&](const LoggedJob& job) {
    if (job.submit >= 0) submits.push_back(job.submit);
    if (job.run >= 0) run.push_back(job.run);
    if (job.wait >= 0) wait.push_back(job.wait);
    if (job.requested_time > 0) requested.push_back(job.requested_time);
    if (job.gpus >= 0) gpus.push_back(job.gpus);
    if (job.width() > 0) width.push_back(static_cast<double>(job.width()));
    if (job.run > 0 && job.width() > 0) {
      work += job.run * static_cast<double>(job.width());
      end = std::max(end, job.submit + std::max(0.0, job.wait) + job.run);
    }
  };
  HOLDFAST_TRY(facts, format.read(std::move(lines), take));
  const auto [least, most] = std::minmax_element(submits.begin(), submits.end());
  const double first = submits.empty() ? 0 : *least;
  const double last = submits.empty() ? 0 : *most;
  add_fact(answer, "jobs", "jobs", facts.jobs, fmt::format("{}", facts.jobs));
  // Logs with dates count from 1970, others from their own beginning.
  constexpr double kSinceSurelyADate = 1e8;
  const auto shown = [is_date = first > kSinceSurelyADate](double time) {
    return is_date ? format_date(time) : fmt::format("{} s", to_text(time));
  };
  add_fact(answer, "from", "first submission", first, shown(first));
  add_fact(answer, "to", "last submission", last, shown(last));
  add_fact(answer, "period", "period", last - first, format_duration(last - first));
  add_fact(answer, "work", "work", work,
           fmt::format("{} processor-hours", to_text(work / 3600, 6)));
  if (end > first) {
    add_fact(answer, "mean_busy", "processors busy on average", work / (end - first),
             to_text(work / (end - first), 6));
  }
  for (const char* name : {"MaxProcs", "MaxNodes", "UnixStartTime"}) {
    if (const auto number = facts.number(name)) {
      add_fact(answer, name, name, *number, fmt::format("{}", *number));
    }
  }
  QuantityTable quantities;
  quantities.add("run", "run time", run);
  quantities.add("processors", "processors", width, Unit::none);
  quantities.add("gpus", "GPUs", gpus, Unit::none);
  quantities.add("between_submissions", "time between submissions",
                 gaps_between(std::move(submits)));
  quantities.add("wait", "wait", wait);
  quantities.add("requested_time", "requested time", requested);
  quantities.finish(answer);
  Oddities oddities = facts.oddities;
  const auto most_busy = facts.number("MaxProcs");
  if (end > first && most_busy && *most_busy > 0)
    oddities.add("more processors busy on average than MaxProcs",
                 work / (end - first) > static_cast<double>(*most_busy) ? 1 : 0,
                 "kept: jobs overlap, or MaxProcs is wrong");
  add_oddities(oddities.list(), answer);
  return answer;
}

Result<Answer> describe_capacity(const FormatOf<CapacitySeries>& format, TraceText lines,
                                 SeriesQuestion question, Answer answer) {
  const bool is_timed = format.facts.name != "capacity-csv" || question.time_unit.has_value();
  const bool is_asked = !question.column.empty();
  if (!is_asked) question.column = "*";
  if (!question.time_unit) question.time_unit = 1;
  HOLDFAST_TRY(series, format.read(std::move(lines), question));
  if (const std::string& how = series.oddities.reading(); !how.empty()) {
    answer.headline.replace(answer.headline.find(": ") + 2, answer.headline.npos, how);
  }
  const double first = series.points.front().time;
  const auto shown = [&](double time) {
    return series.is_dated ? Value(format_date(time)) : Value(time);
  };
  const auto text = [&](double time) {
    return series.is_dated ? format_date(time) : to_text(time);
  };
  add_fact(answer, "changes", "values", static_cast<std::int64_t>(series.points.size()),
           fmt::format("{}", series.points.size()));
  add_fact(answer, "from", "from", shown(first), text(first));
  add_fact(answer, "to", "to", shown(series.end), text(series.end));
  // Columns may have different units, and files do not name them, so columns are added up only if the user asks for it.
  const bool is_one = is_asked || series.columns.size() < 2;
  if (series.columns.size() > 1) {
    Value names = Value::array();
    for (const std::string& name : series.columns) names.push(name);
    add_fact(answer, "columns", is_asked ? "columns in the file" : "columns", names,
             fmt::format("{}", fmt::join(series.columns, ", ")));
  }
  if (is_asked) add_fact(answer, "column", "described here", question.column, question.column);
  std::vector<double> values, steps;
  double area = 0;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const bool is_last = i + 1 == series.points.size();
    const double until = is_last ? series.end : series.points[i + 1].time;
    values.push_back(series.points[i].value);
    area += series.points[i].value * (until - series.points[i].time);
    if (!is_last) steps.push_back(until - series.points[i].time);
  }
  if (is_one && series.end > first) {
    add_fact(answer, "mean", "mean over time", area / (series.end - first),
             to_text(area / (series.end - first), 6));
  }
  QuantityTable quantities;
  if (is_one) quantities.add("value", "value", values, Unit::none);
  quantities.add("step", is_timed ? "time between values" : "between values (unit of the file)",
                 steps, is_timed ? Unit::seconds : Unit::none);
  quantities.finish(answer);
  add_oddities(series.oddities.list(), answer);
  if (!is_one) {
    answer.lines.emplace_back(
        "several columns: --column NAME describes one, --column A+B the sum of columns of one "
        "unit");
  }
  return answer;
}

}  // namespace holdfast
