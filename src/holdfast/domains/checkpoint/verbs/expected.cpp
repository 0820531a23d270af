#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/checkpoint/verbs.hpp"
#include "holdfast/models/failures/failure_rate.hpp"
#include "holdfast/models/resilience/job.hpp"
#include "holdfast/models/resilience/late_saves.hpp"
#include "holdfast/models/resilience/period.hpp"
#include "holdfast/models/resilience/spares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::checkpoint {
namespace {

struct ExpectedOptions {
  std::optional<double> work;
  std::optional<double> checkpoint;
  std::optional<double> recovery;
  double downtime = 0;
  LateSaves late;
  std::int64_t processors = 1;
  std::optional<double> mtbf, platform_mtbf, rate;
  std::string failure_rate, afr;
  bool job = false;
  bool no_final_checkpoint = false, no_initial_recovery = false;
  bool period_sweep = false;
  std::optional<std::int64_t> spares;
  std::optional<double> repair;
};
const Fields<ExpectedOptions>& expected_options() {
  using S = ExpectedOptions;
  static constexpr auto kRows = std::to_array<Field<S>>({
      {.name = "work",
       .summary = "seconds of work in the segment (with --job: in the job)",
       .member = member<&S::work>,
       .unit = Unit::seconds,
       .range = positive()},
      {.name = "checkpoint",
       .summary = "time to write a checkpoint",
       .member = member<&S::checkpoint>,
       .unit = Unit::seconds,
       .range = positive()},
      {.name = "recovery",
       .summary = "time to read a checkpoint; default: as long as to write one",
       .member = member<&S::recovery>,
       .unit = Unit::seconds,
       .range = non_negative()},
      {.name = "downtime",
       .summary = "time from a failure to the start of the recovery",
       .member = member<&S::downtime>,
       .unit = Unit::seconds,
       .range = non_negative()},
      {.name = "flush",
       .summary = "time from the end of an asynchronous checkpoint until it is safe, in which the "
                  "job goes on and no other checkpoint begins",
       .member = member<&S::late, &LateSaves::flush>,
       .unit = Unit::seconds,
       .range = non_negative()},
      {.name = "save_failure",
       .summary = "with --period-sweep: fraction of the checkpoints that turn out not to be whole",
       .member = member<&S::late, &LateSaves::failure>,
       .range = {.minimum = 0, .maximum = 1, .below_maximum = true}},
      {.name = "processors",
       .summary = "number of processors of the job",
       .member = member<&S::processors>,
       .range = at_least(1)},
      {.name = "mtbf",
       .summary = "mean time between failures of one processor",
       .member = member<&S::mtbf>,
       .unit = Unit::seconds,
       .range = positive()},
      {.name = "platform_mtbf",
       .summary =
           "mean time between failures of all processors of the job together, instead of the mtbf",
       .member = member<&S::platform_mtbf>,
       .unit = Unit::seconds,
       .range = positive()},
      {.name = "failure_rate",
       .summary =
           "failures per time of one processor, instead of the mtbf: '6.5 per 1000 node-days'",
       .member = member<&S::failure_rate>,
       .value_name = "RATE"},
      {.name = "afr",
       .summary = "annual failure rate of one processor, instead of the mtbf: 5%",
       .member = member<&S::afr>,
       .value_name = "PERCENT"},
      {.name = "rate",
       .summary = "failures per second of all processors together, instead of the mtbf",
       .member = member<&S::rate>,
       .unit = Unit::per_second,
       .range = positive()},
      {.name = "job",
       .summary = "cut the work into segments, by the strategies for exponential failures",
       .member = member<&S::job>},
      {.name = "no_final_checkpoint",
       .summary = "with --job: no checkpoint after the last segment",
       .member = member<&S::no_final_checkpoint>},
      {.name = "no_initial_recovery",
       .summary = "with --job: no recovery in the first segment",
       .member = member<&S::no_initial_recovery>},
      {.name = "period_sweep",
       .summary = "list the expected time per second of work against the period",
       .member = member<&S::period_sweep>},
      {.name = "spares",
       .summary = "nodes that step in for failed ones: the efficiency in the long run, and how "
                  "often a node is lacking",
       .member = member<&S::spares>,
       .range = non_negative()},
      {.name = "repair",
       .summary = "with --spares: mean length of the repair of a node",
       .member = member<&S::repair>,
       .unit = Unit::seconds,
       .range = positive()},
  });
  static const Fields<S> kFields(kRows);
  return kFields;
}

/// Number of points of a sweep, from a hundredth of the best period to a hundred times it: 20 per decade.
constexpr int kSweepPoints = 81;
constexpr double kFlat = 0.01;  // more time that hardly matters
constexpr double kFar = 1e4;  // a period so many times longer or shorter than the best one is worse
constexpr int kHalvings = 60;
constexpr double kHuge = 1e6;  // from here on, decimals tell nothing

struct Question {
  std::optional<double> work;
  ResilienceCosts costs;
  LateSaves late;
  double rate = 0;
  JobEnds ends;
};

// Failures per second of the whole job, given in one of three ways.
Result<double> rate_of(const ExpectedOptions& options) {
  struct Way {
    std::string_view name;
    std::optional<double> value;
  };
  const Way* found = nullptr;
  std::optional<double> published, annual;  // the mean of one processor, seconds
  if (!options.failure_rate.empty()) {
    HOLDFAST_TRY(mean, read_failure_rate(Value(options.failure_rate), "/failure_rate"));
    published = mean;
  }
  if (!options.afr.empty()) {
    HOLDFAST_TRY(mean, read_annual_rate(Value(options.afr), "/afr"));
    annual = mean;
  }
  const auto ways = std::to_array<Way>({{"mtbf", options.mtbf},
                                        {"platform_mtbf", options.platform_mtbf},
                                        {"rate", options.rate},
                                        {"failure_rate", published},
                                        {"afr", annual}});
  for (const Way& way : ways) {
    if (!way.value) continue;
    if (found != nullptr) {
      return fail(ErrorCode::usage, pointer_to("", way.name),
                  fmt::format("found both {} and {}, expected one of them",
                              option_name(found->name), option_name(way.name)));
    }
    found = &way;
  }
  if (found == nullptr) {
    return fail(ErrorCode::usage, "/mtbf",
                "found none of --mtbf, --platform-mtbf and --rate, expected one of them");
  }
  const double rate = found->name == "rate" ? *found->value
                      : found->name == "platform_mtbf"
                          ? 1 / *found->value
                          : static_cast<double>(options.processors) / *found->value;
  if (std::isfinite(rate) && std::isfinite(1 / rate)) return rate;
  return fail(
      ErrorCode::usage, pointer_to("", found->name),
      fmt::format("found {}, expected a number whose inverse is not too large", *found->value));
}

Result<Question> question_of(const ExpectedOptions& options) {
  if (!options.checkpoint)
    return fail(ErrorCode::usage, "/checkpoint", "is missing: the time to write a checkpoint");
  HOLDFAST_TRY(rate, rate_of(options));
  const bool has_both_ends = !options.no_final_checkpoint && !options.no_initial_recovery;
  if (options.late.flush > 0 && !has_both_ends) {
    return fail(ErrorCode::usage, "/flush",
                "found with --no-final-checkpoint or --no-initial-recovery, expected without: "
                "'simulate' runs such a job");
  }
  if (options.late.failure > 0 && (options.work || options.spares)) {
    return fail(ErrorCode::usage, "/save_failure",
                fmt::format("found with {}, expected only --period-sweep beside it: 'simulate' "
                            "runs a job whose checkpoints fail",
                            options.work ? "--work" : "--spares"));
  }
  return Question{.work = options.work,
                  .costs = {.checkpoint = *options.checkpoint,
                            .recovery = options.recovery.value_or(*options.checkpoint),
                            .downtime = options.downtime},
                  .late = options.late,
                  .rate = rate,
                  .ends = {.final_checkpoint = !options.no_final_checkpoint,
                           .initial_recovery = !options.no_initial_recovery}};
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

// The period of a rule, at which no checkpoint begins before the one before is safe.
double period_by(const Rule& rule, const Question& question) {
  const double cost = question.costs.checkpoint;
  if (rule.period == optimal_period)
    return late_optimal_period(cost, 1 / question.rate, question.late);
  return std::max(rule.period(planned_checkpoint(cost, question.late), 1 / question.rate),
                  question.late.flush);
}

// late_job_time() of equal segments, given that of safe checkpoints.
JobPlan with_flush(const JobPlan& plan, const Question& question) {
  const double flush = question.late.flush;
  if (flush == 0) return plan;
  JobPlan out = plan;
  if (flush * static_cast<double>(plan.segments) > *question.work && plan.segments > 1) {
    const auto most = static_cast<std::int64_t>(std::max(1.0, std::floor(*question.work / flush)));
    out = job_in_segments(*question.work, question.costs, question.rate, most, question.ends);
  }
  ResilienceCosts last = question.costs;
  last.checkpoint = flush;
  out.expected_time = out.expected_time * elementary::exp(question.rate * flush) +
                      expected_segment_time(0, last, question.rate);
  return out;
}

// The plan of a rule: N follows from its period, but is small enough that each segment has work; the optimum chooses N itself.
JobPlan job_of(const Rule& rule, const Question& question) {
  if (rule.period == optimal_period)
    return with_flush(optimal_job(*question.work, question.costs, question.rate, question.ends),
                      question);
  const double period = rule.period(question.costs.checkpoint, 1 / question.rate);
  std::int64_t segments = segments_for_period(*question.work, period);
  while (!is_possible(*question.work, question.costs, segments, question.ends))
    segments = segments > 2 ? 2 : 1;
  return with_flush(
      job_in_segments(*question.work, question.costs, question.rate, segments, question.ends),
      question);
}

void add_job(const Question& question, Answer& answer) {
  Value strategies = Value::object();
  Table table{.title = "the whole job",
              .columns = {{.title = "strategy"},
                          {.title = "period", .unit = Unit::seconds},
                          {.title = "segments"},
                          {.title = "expected makespan", .unit = Unit::seconds},
                          {.title = "efficiency", .digits = 4}}};
  for (const Rule& rule : kRules) {
    const JobPlan plan = job_of(rule, question);
    const double period = period_by(rule, question);
    Value row = Value::object({{"period", period}, {"segments", plan.segments}});
    if (!question.ends.final_checkpoint || !question.ends.initial_recovery)
      row.set("span", plan.span);
    set_finite(row, "expected_makespan", plan.expected_time);
    const double efficiency = *question.work / plan.expected_time;
    row.set("efficiency", efficiency);
    strategies.set(rule.name, std::move(row));
    table.rows.push_back(
        {rule.name, period, plan.segments,
         std::isfinite(plan.expected_time) ? Value(plan.expected_time) : Value("never"),
         efficiency});
  }
  const JobPlan best = job_of(kRules.back(), question);
  answer.verdict.push_back(
      fmt::format("cut into {}, the job of {} takes {} on average, efficiency {:.4f} (ETTR)",
                  counted(best.segments, "segment"), format_duration(*question.work),
                  in_words(best.expected_time), *question.work / best.expected_time));
  answer.document.set("strategies", std::move(strategies));
  answer.tables.push_back(std::move(table));
}

double slowdown_of(double period, const Question& question) {
  return late_slowdown(std::max(period, question.late.flush), question.costs, question.rate,
                       question.late);
}

// Returns the period, between one that is worse by more than the share and the best one, from which on it is not.
double flat_from(double worse, double best, const Question& question) {
  const double most = (1 + kFlat) * slowdown_of(best, question);
  if (slowdown_of(worse, question) <= most) return worse;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::sqrt(worse * best);
    (slowdown_of(middle, question) <= most ? best : worse) = middle;
  }
  return best;
}

constexpr int kDrawn = 161;       // periods of the picture
constexpr double kTallest = 2.5;  // the most that it shows, in units of the least

// Periods from a hundredth to a hundred times the best, in equal ratios, each with its slowdown, as long as that is finite.
std::vector<std::pair<double, double>> swept_periods(const Question& question, int points) {
  const double best = period_by(kRules.back(), question);
  std::vector<std::pair<double, double>> out;
  for (int i = 0; i < points; ++i) {
    const double period = best * elementary::pow(10.0, -2 + 4.0 * i / (points - 1));
    const double value = slowdown_of(period, question);
    if (!std::isfinite(value)) break;
    out.emplace_back(period, value);
  }
  return out;
}

// What other periods cost as a picture, with the rules on it.
LineChart chart_of(const Question& question) {
  LineChart chart{
      .title = "too many checkpoints cost time, too few lose work",
      .x = {.title = "work between two checkpoints", .unit = "s", .is_logarithmic = true},
      .y = {.title = "expected time per second of work", .unit = "", .shown = {1}},
      .lines = {{.name = "a fixed period", .x = {}, .y = {}, .is_thick = true}}};
  const double most = kTallest * slowdown_of(period_by(kRules.back(), question), question);
  for (const auto& [period, slowdown] : swept_periods(question, kDrawn)) {
    if (slowdown > most) continue;
    chart.lines[0].x.push_back(period);
    chart.lines[0].y.push_back(slowdown);
  }
  for (const Rule& rule : kRules) {
    const double period = period_by(rule, question);
    chart.lines.push_back({.name = std::string(rule.name),
                           .x = {period},
                           .y = {slowdown_of(period, question)},
                           .is_points = true});
  }
  return chart;
}

// How often the long run of a job should save, by each rule, and how little that matters.
void add_marks(const Question& question, Answer& answer) {
  answer.chart = chart_of(question);
  Value marks = Value::object();
  for (const Rule& rule : kRules) {
    const double period = period_by(rule, question);
    Value mark = Value::object({{"period", period}});
    const double value = slowdown_of(period, question);
    set_finite(mark, "slowdown", value);
    marks.set(rule.name, std::move(mark));
    answer.verdict.push_back(fmt::format("{}: a checkpoint every {} of work, {} per second of work",
                                         rule.name, format_duration(period),
                                         !std::isfinite(value) ? in_words(value)
                                         : value < kHuge       ? fmt::format("{:.6f} s", value)
                                                               : fmt::format("{:.3g} s", value)));
  }
  answer.document.set("marks", std::move(marks));
  const double best = period_by(kRules.back(), question);
  if (!std::isfinite(slowdown_of(best, question))) return;
  const double from = flat_from(std::max(question.late.flush, best / kFar), best, question);
  const double to = flat_from(best * kFar, best, question);
  answer.verdict.push_back(fmt::format("any period from {} to {} takes at most {:g} % longer",
                                       format_duration(from), format_duration(to), 100 * kFlat));
  answer.document.set("flat", Value::object({{"from", from}, {"to", to}}));
}

// Figure 1.1 of the thesis: too many checkpoints cost time, too few lose work.
void add_sweep(const Question& question, Answer& answer) {
  Value periods = Value::array();
  Value slowdowns = Value::array();
  Table table{.title = "expected time per second of work",
              .columns = {{.title = "period", .unit = Unit::seconds}, {.title = "slowdown"}}};
  for (const auto& [period, slowdown] : swept_periods(question, kSweepPoints)) {
    periods.push(period);
    slowdowns.push(slowdown);
    table.rows.push_back({period, slowdown});
  }
  answer.document.set(
      "sweep", Value::object({{"period", std::move(periods)}, {"slowdown", std::move(slowdowns)}}));
  answer.tables.push_back(std::move(table));
}

// The long run of a job whose failed nodes are repaired while spares step in.
Status add_spares(const Question& question, const ExpectedOptions& options, Answer& answer) {
  if (options.spares.has_value() != options.repair.has_value()) {
    return fail(ErrorCode::usage, options.spares ? "/repair" : "/spares",
                options.spares ? "is missing: how long the repair of a node takes"
                               : "is missing: the number of nodes that step in meanwhile");
  }
  if (!options.spares) return {};
  const SpareNodes nodes{.nodes = options.processors,
                         .spares = *options.spares,
                         .life = static_cast<double>(options.processors) / question.rate,
                         .repair = *options.repair};
  const bool is_segment = question.work && !options.job;
  const double period = std::max(is_segment ? *question.work : period_by(kRules.back(), question),
                                 question.late.flush);
  ResilienceCosts costs = question.costs;
  costs.recovery += question.late.flush;  // which each failure costs again
  const SpareShares shares = shares_of(nodes);
  const double efficiency = spare_efficiency(nodes, period, costs);
  const double bound = spare_efficiency(nodes, period, costs, true);
  answer.verdict.push_back(fmt::format(
      "with {} all nodes are there {:.4g} % of the time; with a checkpoint every {} of work, "
      "efficiency {:.4f} (ETTR), {:.4f} with infinite spares",
      counted(*options.spares, "spare"), 100 * shares.full, format_duration(period), efficiency,
      bound));
  answer.document.set("spares", Value::object({{"full_share", shares.full},
                                               {"idle", shares.idle},
                                               {"shortages_per_second", shares.shortage_rate},
                                               {"shortage_seconds", shares.shortage_length},
                                               {"period", period},
                                               {"efficiency", efficiency},
                                               {"efficiency_with_infinite_spares", bound}}));
  return {};
}

Result<Answer> run_expected(const ExpectedOptions& options, const Request&) {
  HOLDFAST_TRY(question, question_of(options));
  if (!question.work && options.job) {
    return fail(ErrorCode::usage, "/work", "is missing: the work to be done");
  }
  Answer answer;
  if (question.work) {
    const double time =
        late_job_time({&*question.work, 1}, question.costs, question.rate, {}, question.late.flush);
    set_finite(answer.document, "expected_time", time);
    if (!std::isfinite(time))
      answer.warnings.push_back("the expected time of one segment is too large for a number");
    (options.job ? answer.lines : answer.verdict)
        .push_back(fmt::format("in one segment, {} of work {}", format_duration(*question.work),
                               std::isfinite(time)
                                   ? fmt::format("take {} on average", in_words(time))
                                   : "take too long for a number"));
  }
  set_finite(answer.document, "expected_recovery_time",
             expected_recovery_time(question.costs, question.rate));
  if (options.job) add_job(question, answer);
  if (options.period_sweep) add_sweep(question, answer);
  if (options.period_sweep || !(question.work || options.spares)) add_marks(question, answer);
  HOLDFAST_CHECK(add_spares(question, options, answer));
  return answer;
}

constexpr auto kExpectedResults = std::to_array<ResultField>(
    {{"expected_time?", "time of the work in one segment, on average", Unit::seconds},
     {"expected_recovery_time?", "time of a recovery in which failures strike too", Unit::seconds},
     {"strategies?.*.period", "work between two checkpoints of that rule", Unit::seconds},
     {"strategies?.*.segments", "number of segments of the job", Holds::integer},
     {"strategies?.*.span?", "work of a segment, where the first or the last one differs",
      Unit::seconds},
     {"strategies?.*.expected_makespan?", "time of the whole job, on average", Unit::seconds},
     {"strategies?.*.efficiency?", "useful share of the whole run"},
     {"sweep?.period[]", "periods from a hundredth to a hundred times the best", Unit::seconds},
     {"sweep?.slowdown[]", "expected time per second of work with each of them"},
     {"marks?.*.period", "period of that rule", Unit::seconds},
     {"marks?.*.slowdown?", "expected time per second of work with it"},
     {"flat?.from", "shortest period with which the work takes at most 1 % longer", Unit::seconds},
     {"flat?.to", "the longest one", Unit::seconds},
     {"spares?.full_share", "share of the time in which all nodes are there"},
     {"spares?.idle", "idle nodes, on average"},
     {"spares?.shortages_per_second", "rate at which a full job lacks a node"},
     {"spares?.shortage_seconds", "time until all nodes are there again", Unit::seconds},
     {"spares?.period", "work between two checkpoints", Unit::seconds},
     {"spares?.efficiency", "useful share of the whole run"},
     {"spares?.efficiency_with_infinite_spares", "the same if a spare is always there"}});

}  // namespace

Verb expected_verb() {
  return {
      .name = "expected",
      .summary = "expected times and best periods for exponential failures, in closed form",
      .example = "holdfast checkpoint expected --work 48h --checkpoint 60s --mtbf 3153.6s --job",
      .options = expected_options().parameters(),
      .results = kExpectedResults,
      .takes_instance = false,
      .takes_seed = false,
      .has_chart = true,
      .run = with_options<run_expected, expected_options>};
}

}  // namespace holdfast::checkpoint
