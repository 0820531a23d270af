#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/checkpoint/verbs.hpp"
#include "holdfast/models/resilience/job.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::checkpoint {
namespace {

constexpr auto kOptions = std::to_array<Parameter>({
    {.name = "work",
     .summary = "seconds of work in the segment (with --job: in the job)",
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "checkpoint",
     .summary = "time to write a checkpoint",
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "recovery",
     .summary = "time to read it back; default: as long as the checkpoint",
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "downtime",
     .summary = "from a failure to the start of the recovery",
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "0"},
    {.name = "processors",
     .summary = "of the job; default: 1",
     .kind = Kind::integer,
     .range = at_least(1)},
    {.name = "mtbf",
     .summary = "mean time between failures of one processor",
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "platform_mtbf",
     .summary = "of all processors of the job together, in place of the mtbf",
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "rate",
     .summary = "failures per second of all processors together, in place of the mtbf",
     .unit = Unit::per_second,
     .range = positive()},
    {.name = "job",
     .summary = "cut the work into segments, by the strategies for exponential failures",
     .kind = Kind::flag},
    {.name = "no_final_checkpoint",
     .summary = "with --job: no checkpoint after the last segment",
     .kind = Kind::flag},
    {.name = "no_initial_recovery",
     .summary = "with --job: no recovery in the first segment",
     .kind = Kind::flag},
    {.name = "period_sweep",
     .summary = "expected time per second of work against the period",
     .kind = Kind::flag},
});

/// Points of a sweep, from a hundredth of the best period to a hundred times it: 20 per decade.
constexpr int kSweepPoints = 81;

struct Question {
  std::optional<double> work;
  ResilienceCosts costs;
  double rate = 0;
  JobEnds ends;
};

std::optional<double> number(const Request& request, std::string_view name) {
  const Value* value = request.options.find(name);
  return value == nullptr ? std::nullopt : std::optional(value->number());
}

// Failures per second of the whole job, said in one of three ways.
Result<double> rate_of(const Request& request) {
  constexpr auto kWays = std::to_array<std::string_view>({"mtbf", "platform_mtbf", "rate"});
  constexpr auto kOptionNames =
      std::to_array<std::string_view>({"--mtbf", "--platform-mtbf", "--rate"});
  std::optional<std::size_t> found;
  for (std::size_t way = 0; way < kWays.size(); ++way) {
    if (!number(request, kWays[way])) continue;
    if (found) {
      return fail(ErrorCode::usage, std::string(kOptionNames[way]),
                  fmt::format("found both {} and {}, expected one of them", kOptionNames[*found],
                              kOptionNames[way]));
    }
    found = way;
  }
  if (!found) {
    return fail(ErrorCode::usage, "--mtbf",
                "found none of --mtbf, --platform-mtbf and --rate, expected one of them");
  }
  const double value = *number(request, kWays[*found]);
  const double processors = number(request, "processors").value_or(1);
  const double rate = *found == 0 ? processors / value : *found == 1 ? 1 / value : value;
  if (std::isfinite(rate) && std::isfinite(1 / rate)) return rate;
  return fail(ErrorCode::usage, std::string(kOptionNames[*found]),
              fmt::format("found {}, expected a number whose inverse is not too large", value));
}

Result<Question> read(const Request& request) {
  Question question;
  question.work = number(request, "work");
  const auto checkpoint = number(request, "checkpoint");
  if (!checkpoint)
    return fail(ErrorCode::usage, "--checkpoint", "is missing: the time to write a checkpoint");
  question.costs = {.checkpoint = *checkpoint,
                    .recovery = number(request, "recovery").value_or(*checkpoint),
                    .downtime = number(request, "downtime").value_or(0)};
  HOLDFAST_TRY(rate, rate_of(request));
  question.rate = rate;
  return question;
}

bool flag(const Request& request, std::string_view name) {
  const Value* value = request.options.find(name);
  return value != nullptr && value->boolean() != nullptr && *value->boolean();
}

// Infinity has no place in a document: a value that overflows is absent.
void set_finite(Value& object, std::string_view name, double value) {
  if (std::isfinite(value)) object.set(name, value);
}

std::string in_words(double seconds) {
  return std::isfinite(seconds) ? format_duration(seconds) : "too long for a number";
}

struct Rule {
  std::string_view name;
  double (*period)(double checkpoint, double mtbf) noexcept;
};
constexpr auto kRules = std::to_array<Rule>({{"young-daly", young_daly_period},
                                             {"daly", daly_period},
                                             {"optimal-exponential", optimal_period}});

// The plan of a rule: N from its period, as many as leave each segment some work; the optimum chooses N itself.
JobPlan job_of(const Rule& rule, const Question& question) {
  if (rule.period == optimal_period)
    return optimal_job(*question.work, question.costs, question.rate, question.ends);
  const double period = rule.period(question.costs.checkpoint, 1 / question.rate);
  std::int64_t segments = segments_for_period(*question.work, period);
  while (!is_possible(*question.work, question.costs, segments, question.ends))
    segments = segments > 2 ? 2 : 1;
  return job_in_segments(*question.work, question.costs, question.rate, segments, question.ends);
}

void add_job(const Question& question, Answer& answer) {
  Value strategies = Value::object();
  Table table{.title = "the whole job",
              .columns = {{.title = "strategy"},
                          {.title = "period", .unit = Unit::seconds},
                          {.title = "segments"},
                          {.title = "expected makespan", .unit = Unit::seconds}}};
  for (const Rule& rule : kRules) {
    const JobPlan plan = job_of(rule, question);
    const double period = rule.period(question.costs.checkpoint, 1 / question.rate);
    Value row = Value::object({{"period", period}, {"segments", plan.segments}});
    if (!question.ends.final_checkpoint || !question.ends.initial_recovery)
      row.set("span", plan.span);
    set_finite(row, "expected_makespan", plan.expected_time);
    strategies.set(rule.name, std::move(row));
    table.rows.push_back(
        {rule.name, period, plan.segments,
         std::isfinite(plan.expected_time) ? Value(plan.expected_time) : Value("never")});
  }
  const JobPlan best = job_of(kRules.back(), question);
  answer.verdict.push_back(fmt::format(
      "cut into {}, the job of {} takes {} on average", counted(best.segments, "segment"),
      format_duration(*question.work), in_words(best.expected_time)));
  answer.document.set("strategies", std::move(strategies));
  answer.tables.push_back(std::move(table));
}

// Figure 1.1 of the thesis: too many checkpoints cost time, too few lose work.
void add_sweep(const Question& question, Answer& answer) {
  const auto slowdown_of = [&](double period) {
    return slowdown(period, question.costs, question.rate);
  };
  const double best = optimal_period(question.costs.checkpoint, 1 / question.rate);
  Value periods = Value::array();
  Value slowdowns = Value::array();
  Table table{.title = "expected time per second of work",
              .columns = {{.title = "period", .unit = Unit::seconds}, {.title = "slowdown"}}};
  for (int i = 0; i < kSweepPoints; ++i) {
    const double period = best * std::pow(10.0, -2 + 4.0 * i / (kSweepPoints - 1));
    const double value = slowdown_of(period);
    if (!std::isfinite(value)) break;
    periods.push(period);
    slowdowns.push(value);
    table.rows.push_back({period, value});
  }
  Value marks = Value::object();
  for (const Rule& rule : kRules) {
    const double period = rule.period(question.costs.checkpoint, 1 / question.rate);
    Value mark = Value::object({{"period", period}});
    const double value = slowdown_of(period);
    set_finite(mark, "slowdown", value);
    marks.set(rule.name, std::move(mark));
    answer.verdict.push_back(
        fmt::format("{}: a checkpoint every {} of work, {} per second of work", rule.name,
                    format_duration(period),
                    std::isfinite(value) ? fmt::format("{:.6f} s", value) : in_words(value)));
  }
  answer.document.set(
      "sweep", Value::object({{"period", std::move(periods)}, {"slowdown", std::move(slowdowns)}}));
  answer.document.set("marks", std::move(marks));
  answer.tables.push_back(std::move(table));
}

Result<Answer> run(const Request& request) {
  HOLDFAST_TRY(question, read(request));
  question.ends = {.final_checkpoint = !flag(request, "no_final_checkpoint"),
                   .initial_recovery = !flag(request, "no_initial_recovery")};
  const bool is_sweep = flag(request, "period_sweep");
  const bool is_job = flag(request, "job");
  if (!question.work && (is_job || !is_sweep)) {
    return fail(ErrorCode::usage, "--work", "is missing: the work to be done");
  }
  Answer answer;
  if (question.work) {
    const double time = expected_segment_time(*question.work, question.costs, question.rate);
    set_finite(answer.document, "expected_time", time);
    if (!std::isfinite(time))
      answer.warnings.push_back("the expected time of one segment is too large for a number");
    (is_job ? answer.lines : answer.verdict)
        .push_back(fmt::format("in one segment, {} of work {}", format_duration(*question.work),
                               std::isfinite(time)
                                   ? fmt::format("take {} on average", in_words(time))
                                   : "take too long for a number"));
  }
  set_finite(answer.document, "expected_recovery_time",
             expected_recovery_time(question.costs, question.rate));
  if (is_job) add_job(question, answer);
  if (is_sweep) add_sweep(question, answer);
  return answer;
}

}  // namespace

Verb expected_verb() {
  return {
      .name = "expected",
      .summary = "closed forms for exponential failures: expected times and best periods",
      .example = "holdfast checkpoint expected --work 48h --checkpoint 60s --mtbf 3153.6s --job",
      .options = kOptions,
      .takes_instance = false,
      .takes_seed = false,
      .run = run};
}

}  // namespace holdfast::checkpoint
