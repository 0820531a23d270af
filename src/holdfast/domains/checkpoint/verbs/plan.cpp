#include "holdfast/domains/checkpoint/plan.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/checkpoint/efficiency.hpp"
#include "holdfast/domains/checkpoint/fields.hpp"
#include "holdfast/domains/checkpoint/fixed_period.hpp"
#include "holdfast/domains/checkpoint/headline.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/progress.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/verbs.hpp"
#include "holdfast/models/resilience/spares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {
namespace {

/// Number of checkpoints in a table for people; programs get all.
constexpr std::size_t kShown = 5;

// A plan has no horizon, and knows the law.
constexpr auto kUnusedByPlan = std::to_array<std::string_view>(
    {"horizon", "belief_distribution", "belief_mtbf", "belief_shape", "belief_file"});

/// The part of a plan that is printed.
enum class Printed : std::uint8_t { all, next };
constexpr auto kPrintedNames = std::to_array<std::string_view>({"all", "next"});

struct PlanOptions {
  Tool as = Tool::none;
  Printed print = Printed::all;
};
constexpr auto kPlanOptions = std::to_array<Field<PlanOptions>>({
    {.name = "as",
     .summary = "print one line for this tool, with the best fixed period from now on",
     .member = choice<&PlanOptions::as, kToolNames>},
    {.name = "print",
     .summary = "next: print only the seconds of work until the next checkpoint",
     .member = choice<&PlanOptions::print, kPrintedNames>},
});

/// Says how a job longer than its wall time goes on.
void add_submissions(const Instance& instance, const Plan& plan, Answer& answer) {
  const double limit = instance.time_limit;
  const double flush = instance.late.flush;
  const double last = instance.checkpoint + flush;  // from its begin until it is safe
  Value document = Value::object({{"time_limit", limit}, {"last_checkpoint_at", limit - last}});
  if (std::isfinite(instance.work)) {
    const auto count = [&](const auto& saved_in) {
      // A later one begins with reading a checkpoint.
      const double left = instance.work - saved_in(limit);
      const double more = std::ceil(left / saved_in(limit - instance.recovery) * (1 - 1e-12));
      return 1 + static_cast<std::int64_t>(std::max(0.0, more));
    };
    const double period = plan.cuts.front();
    const auto undisturbed = count([&](double time) {  // with one more checkpoint at the end
      const double whole = std::floor((time - flush) / (period + instance.checkpoint));
      const double rest = time - flush - whole * (period + instance.checkpoint);
      return whole * period + std::max(0.0, rest - instance.checkpoint);
    });
    // In the long run the share of the plan holds for all of the time.
    const auto expected =
        std::max(undisturbed, count([&](double time) { return plan.worth.share * time; }));
    document.set("without_failures", undisturbed);
    document.set("expected", expected);
    answer.verdict.push_back(
        fmt::format("with a limit of {}: {} if nothing fails, about {} with failures",
                    format_duration(limit), counted(undisturbed, "submission"), expected));
  }
  answer.verdict.push_back(fmt::format(
      "begin the last checkpoint of each submission {} before its end, which then loses nothing",
      format_duration(last)));
  answer.document.set("submissions", std::move(document));
}

Value segments_of(const Plan& plan) {
  Value segments = Value::array();
  double before = 0;
  for (const double cut : plan.cuts) {
    segments.push(cut - before);
    before = cut;
  }
  return segments;
}

Value candidates_of(const Plan& plan) {
  Value by_count = Value::array();
  auto candidates = plan.candidates;
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.checkpoints < b.checkpoints; });
  for (const Candidate& candidate : candidates) {
    by_count.push(Value::object({{"checkpoints", candidate.checkpoints},
                                 {"expected_work", candidate.expected_work},
                                 {"expected_time", candidate.expected_time}}));
  }
  return by_count;
}

std::string_view name_of(Level level) {
  return level == Level::local ? "local" : "global";
}

// The steps of the job in an amount of work; nothing if it has none, or too many to count.
std::optional<std::int64_t> steps_in(const Instance& instance, double work) {
  constexpr double kCountable = 1e15;
  const double steps = std::round(boundary(instance, 0, work) / instance.iteration);
  if (instance.iteration == 0 || steps > kCountable) return std::nullopt;
  return static_cast<std::int64_t>(steps);
}

// ", 93 steps"
std::string steps_in_words(const Instance& instance, double work) {
  const auto steps = steps_in(instance, work);
  return steps ? ", " + counted(*steps, "step") : std::string();
}

Value document_of(const Instance& instance, const Plan& plan, const StrategySpec& spec,
                  const Strategy& strategy) {
  Value document = Value::object({{"strategy", spec.text},
                                  {"next_checkpoint", plan.cuts.front()},
                                  {"next_checkpoint_seconds", plan.cuts.front()},
                                  {"segments", segments_of(plan)},
                                  {"cumulative", Value::list(plan.cuts)},
                                  {"checkpoints", static_cast<std::int64_t>(plan.cuts.size())},
                                  {"expected_work", plan.worth.expected_work},
                                  {"expected_time", plan.worth.expected_time},
                                  {"share_before_failure", plan.worth.share}});
  if (const auto steps = steps_in(instance, plan.cuts.front()))
    document.set("next_checkpoint_steps", *steps);
  if (!plan.levels.empty()) {
    Value levels = Value::array();
    for (const Level level : plan.levels) levels.push(name_of(level));
    document.set("levels", std::move(levels));
  }
  if (strategy.quantum() > 0) {
    document.set("quantum", strategy.quantum());
    document.set("continuous_share_before_failure", plan.continuous_share);
  }
  if (!plan.candidates.empty()) document.set("by_count", candidates_of(plan));
  return document;
}

// ", a local one; the first on the file system after 2 h 3 min"
std::string levels_in_words(const Plan& plan) {
  if (plan.levels.empty()) return {};
  const auto global = std::ranges::find(plan.levels, Level::global);
  if (global == plan.levels.begin()) return ", on the file system";
  if (global == plan.levels.end()) return ", a local one; none on the file system";
  const auto place = static_cast<std::size_t>(global - plan.levels.begin());
  return fmt::format(", a local one; the first on the file system after {}",
                     format_duration(plan.cuts[place]));
}

// The first checkpoints, at most as many as are wanted.
Table table_of(const Plan& plan, std::size_t most) {
  Table table{.title = "checkpoints, if nothing fails",
              .columns = {{.title = "checkpoint"},
                          {.title = "work before it", .unit = Unit::seconds},
                          {.title = "work done", .unit = Unit::seconds}}};
  if (!plan.levels.empty()) table.columns.push_back({.title = "level"});
  double before = 0;
  for (std::size_t k = 0; k < std::min(plan.cuts.size(), most); ++k) {
    table.rows.push_back({static_cast<std::int64_t>(k + 1), plan.cuts[k] - before, plan.cuts[k]});
    if (!plan.levels.empty()) table.rows.back().emplace_back(name_of(plan.levels[k]));
    before = plan.cuts[k];
  }
  return table;
}

// What fixed periods save, and the plan among them.
Result<LineChart> chart_of(const Instance& instance, const Plan& plan) {
  HOLDFAST_TRY(periods, fixed_periods(instance));
  ChartLine fixed{.name = "a fixed period", .x = {}, .y = {}, .is_thick = true};
  for (const FixedPeriod& one : periods) {
    fixed.x.push_back(one.period);
    fixed.y.push_back(one.share);
  }
  return LineChart{
      .title = headline(instance),
      .x = {.title = "work between two checkpoints", .unit = "s", .is_logarithmic = true},
      .y = {.title = "work saved until the next failure, share of the time",
            .unit = "",
            .shown = {0}},
      .lines = {std::move(fixed),
                {.name = "this plan",
                 .x = {plan.cuts.front()},
                 .y = {plan.worth.share},
                 .is_points = true}}};
}

// "young-daly: every 2 h 31 min of work, a share of 0.412345": what another rule would do here.
std::string beside(std::string_view name, std::string_view every, const Plan& plan) {
  return fmt::format("{}: {} {} of work, a share of {:.6f}", name, every,
                     format_duration(plan.cuts.front()), plan.worth.share);
}

/// A smaller difference of the share is not reported as a gain.
constexpr double kNoGain = 5e-5;

// What the usual rule would do, and the rule that knows only today's failure rate.
Result<std::vector<std::string>> beside_others(const Instance& instance, const Plan& plan) {
  std::vector<std::string> lines;
  HOLDFAST_TRY(usual, make_young_daly(instance, {}));
  HOLDFAST_TRY(by_mean, make_plan(instance, *usual));
  if (instance.law->name() != "exponential") {
    HOLDFAST_TRY(local, make_local_young_daly(instance, {}));
    HOLDFAST_TRY(by_rate, make_plan(instance, *local));
    lines.push_back(beside("local-young-daly", "now", by_rate));
    const double gain = plan.worth.share - by_mean.worth.share;
    const double known = (by_rate.worth.share - by_mean.worth.share) / gain;
    lines.push_back(beside("young-daly", "every", by_mean));
    if (gain > kNoGain && known >= 0 && known <= 1) {
      lines.push_back(fmt::format(
          "of the gain over young-daly, {:.0f} % comes from knowing today's failure rate, {:.0f} % "
          "from the plan",
          100 * known, 100 - std::round(100 * known)));
    }
    return lines;
  }
  lines.push_back(beside("young-daly", "every", by_mean));
  return lines;
}

// The result of the same strategy for a platform that has been in service for so long that its processors differ in age.
Result<std::string> when_long_in_service(const Instance& instance, const StrategySpec& spec) {
  const Instance aged = long_in_service(instance);
  HOLDFAST_TRY(rule, make_strategy(spec, aged));
  HOLDFAST_TRY(plan, make_plan(aged, *rule));
  return fmt::format("{}{} the next checkpoint comes after {} of work", ages_in_words(instance),
                     instance.processors == 1 ? "; long in service," : ", and",
                     format_duration(plan.cuts.front()));
}

// "0.8301 (ETTR: useful share of the whole run)", or how it is found if it takes longer than a plan may.
std::string efficiency_in_words(const Instance& instance, const std::optional<Efficiency>& found) {
  if (!found) return "takes long to compute: 'holdfast checkpoint simulate' does";
  const bool is_exact = found->scenarios == 0;
  return fmt::format("{:.4f}{} (ETTR: useful share {}){}", found->value,
                     is_exact ? std::string() : fmt::format(" +- {:.4f}", found->standard_error),
                     std::isinf(instance.work) ? "in the long run" : "of the whole run",
                     is_exact ? std::string() : fmt::format(", by {} runs", found->scenarios));
}

// Says what a failure costs when no node can step in.
void add_wait(const Instance& instance, Answer& answer) {
  const SparePlatform& platform = instance.platform;
  if (platform.spares != 0 || !platform.repair || platform.repair->mean() == 0) return;
  const SpareShares shares = shares_of(spare_nodes(instance, platform, 0));
  answer.verdict.push_back(fmt::format("no spare is up: the next failure costs a wait of about {}",
                                       format_duration(shares.shortage_length)));
}

// Says how long the job takes, and what it costs.
void add_costs(const Instance& instance, double efficiency, Answer& answer) {
  const auto nodes = static_cast<double>(instance.processors);
  const auto node_hours = [nodes](double seconds) {
    constexpr double kCountable = 1e15;
    const double hours = std::round(nodes * seconds / 3600);
    if (hours > kCountable) return fmt::format("{:.4g} node-hours", hours);
    return counted(static_cast<std::int64_t>(hours), "node-hour");
  };
  if (std::isinf(instance.work)) {
    if (nodes > 1)
      answer.verdict.push_back(fmt::format("a day loses {}", node_hours((1 - efficiency) * 86400)));
    return;
  }
  const double time = instance.work / efficiency;
  if (std::isinf(time)) return;
  answer.document.set("expected_makespan", time);
  answer.document.set("node_hours", nodes * time / 3600);
  answer.verdict.push_back(
      fmt::format("the job takes {} on average{}", format_duration(time),
                  nodes == 1 ? std::string()
                             : fmt::format(": {}, of which {} are lost", node_hours(time),
                                           node_hours(time - instance.work))));
}

// Says which share of the whole run is useful work.
Status add_efficiency(const Instance& instance, const StrategySpec& spec, const Plan& plan,
                      Answer& answer) {
  HOLDFAST_TRY(found, efficiency_of(instance, spec, plan));
  answer.verdict.push_back("efficiency " + efficiency_in_words(instance, found));
  if (!found) return {};
  answer.document.set("efficiency", found->value);
  if (found->value > 0) add_costs(instance, found->value, answer);
  if (found->scenarios == 0) return {};
  answer.document.set("efficiency_standard_error", found->standard_error);
  answer.document.set("efficiency_scenarios", found->scenarios);
  return {};
}

// One line for another program; a text is printed as it is.
Answer line_for_program(std::string line) {
  Answer answer;
  answer.document = Value(std::move(line) + "\n");
  return answer;
}

Result<Answer> as_setting(Tool tool, const Instance& instance, const Plan& plan) {
  HOLDFAST_TRY(fixed, best_fixed_period(instance));
  HOLDFAST_TRY(setting, setting_of(tool, fixed.period, instance.checkpoint, instance.iteration));
  HOLDFAST_TRY(spec, parse_strategy(fixed_text(setting.period), strategies()));
  HOLDFAST_TRY(rule, make_strategy(spec, instance));
  HOLDFAST_TRY(as_set, make_plan(instance, *rule));
  HOLDFAST_TRY(found, efficiency_of(instance, spec, as_set));
  Answer answer = line_for_program(setting.line);
  answer.warnings = instance.notes;
  constexpr double kNear = 0.05;
  if (std::abs(setting.period / fixed.period - 1) > kNear) {
    answer.warnings.push_back(fmt::format("the best period is {}, which this tool cannot be told",
                                          format_duration(fixed.period)));
  }
  answer.notes.push_back(
      fmt::format("a checkpoint every {} of work{}: efficiency {}", format_duration(setting.period),
                  steps_in_words(instance, setting.period), efficiency_in_words(instance, found)));
  answer.notes.push_back(fmt::format(
      "until the next failure {:.2f} % of the time becomes saved work; with the plan of 'holdfast "
      "checkpoint plan' {:.2f} %, and the next checkpoint comes after {}",
      100 * as_set.worth.share, 100 * plan.worth.share, format_duration(plan.cuts.front())));
  return answer;
}

// Reads the instance. A plan for named nodes is one for the present, when their log may have ended long ago.
Result<Instance> instance_of(const Request& request) {
  const Value& given = request.parameters;
  const bool names_nodes = given.find("nodes") != nullptr && given.at("/failures/log") != nullptr;
  if (!names_nodes || given.find("now") != nullptr || request.today.empty()) {
    return read_instance(given, request.directory);
  }
  Value dated = given;
  dated.set("now", request.today);
  return read_instance(dated, request.directory);
}

// Reads the instance, and checks that a plan can be made of it.
Result<Instance> planned_instance(const Request& request) {
  HOLDFAST_TRY(instance, instance_of(request));
  if (!instance.law) {
    return fail(ErrorCode::bad_value, "/failures",
                "found no law ('distribution' or 'mtbf'), which a plan needs");
  }
  if (knows_future(*request.strategy)) {
    return fail(ErrorCode::usage, "/strategy",
                fmt::format("found {}, which knows when failures strike, expected one that does "
                            "not: a plan is made before they strike ('simulate' runs {})",
                            request.strategy->text, request.strategy->text));
  }
  if (instance.local.exists() && !writes_local(*request.strategy))
    instance.notes.emplace_back(kNoLocalLevel);
  warn_of_unused(kUnusedByPlan, request.parameters, instance.notes);
  return instance;
}

// Returns what a plan says if the mean that is given for one processor is that of all together; empty if it cannot be, or saves
// nothing either.
Result<std::string> if_mean_of_all(const Instance& instance, const Request& request) {
  if (!instance.mean_is_of_one || instance.processors == 1) return std::string();
  Value parameters = request.parameters;
  Value failures = *parameters.find("failures");
  failures.set("platform_mtbf", *failures.find("mtbf"));
  failures.erase("mtbf");
  parameters.set("failures", std::move(failures));
  HOLDFAST_TRY(other, read_instance(parameters, request.directory));
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, other));
  HOLDFAST_TRY(plan, make_plan(other, *strategy));
  if (no_progress(other, plan.worth.share)) return std::string();
  return fmt::format("then the next checkpoint comes after {} of work",
                     format_duration(plan.cuts.front()));
}

Result<Answer> run_plan(const PlanOptions& options, const Request& request) {
  HOLDFAST_TRY(instance, planned_instance(request));
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, instance));
  HOLDFAST_TRY(plan, make_plan(instance, *strategy));
  if (options.as != Tool::none || options.print == Printed::next) {
    const auto none = no_progress(instance, plan.worth.share);
    if (none && plan.worth.share < kNoProgress) return fail(ErrorCode::infeasible, "", *none);
  }
  if (options.as != Tool::none) return as_setting(options.as, instance, plan);
  if (options.print == Printed::next) {
    Answer next = line_for_program(fmt::format("{:.6g}", plan.cuts.front()));
    next.warnings = instance.notes;
    return next;
  }
  Answer answer;
  answer.document = document_of(instance, plan, *request.strategy, *strategy);
  answer.headline = headline(instance);
  answer.warnings = instance.notes;
  if (lacks_ages(instance)) {
    HOLDFAST_TRY(aged, when_long_in_service(instance, *request.strategy));
    answer.warnings.push_back(aged);
  }
  const auto trouble = no_progress(instance, plan.worth.share);
  if (trouble && plan.worth.share < kNoProgress) {
    answer.verdict.push_back(*trouble);  // and nothing else: the numbers would be meaningless
    HOLDFAST_TRY(otherwise, if_mean_of_all(instance, request));
    if (!otherwise.empty()) answer.verdict.push_back(std::move(otherwise));
    answer.document =
        Value::object({{"strategy", request.strategy->text}, {"makes_progress", false}});
    answer.is_no = true;
    return answer;
  }
  answer.warnings.insert(answer.warnings.end(), plan.warnings.begin(), plan.warnings.end());
  if (trouble) answer.warnings.push_back(*trouble);
  answer.verdict.push_back(
      fmt::format("next checkpoint after {} of work{}{}", format_duration(plan.cuts.front()),
                  steps_in_words(instance, plan.cuts.front()), levels_in_words(plan)));
  if (instance.late.flush > plan.cuts.front() && plan.cuts.size() > 1) {
    answer.verdict.push_back(
        fmt::format("and then every {} at most: none begins before the one before is safe",
                    format_duration(instance.late.flush)));
  }
  HOLDFAST_CHECK(add_efficiency(instance, *request.strategy, plan, answer));
  answer.verdict.push_back(
      fmt::format("until the next failure: {} of work saved in {}, a share of {:.6f}",
                  format_duration(plan.worth.expected_work),
                  format_duration(plan.worth.expected_time), plan.worth.share));
  add_wait(instance, answer);
  if (instance.time_limit > 0) add_submissions(instance, plan, answer);
  answer.tables.push_back(table_of(plan, kShown));
  if (request.wanted.data) answer.data = table_of(plan, plan.cuts.size());
  if (plan.cuts.size() > kShown) {
    answer.lines.push_back(
        fmt::format("and {} more (--json lists all)", plan.cuts.size() - kShown));
  }
  HOLDFAST_TRY(others, beside_others(instance, plan));
  answer.lines.insert(answer.lines.end(), others.begin(), others.end());
  if (request.wanted.chart) {
    HOLDFAST_TRY(chart, chart_of(instance, plan));
    answer.chart = std::move(chart);
  }
  return answer;
}

constexpr auto kPlanResults = std::to_array<ResultField>(
    {{"strategy", "strategy that planned, in canonical form", Holds::text},
     {"next_checkpoint?", "work until the next checkpoint", Unit::seconds},
     {"next_checkpoint_seconds?", "the same", Unit::seconds},
     {"makes_progress?", "false: no plan makes progress, and there is no other member",
      Holds::flag},
     {"next_checkpoint_steps?", "the same in steps of --iteration", Holds::integer},
     {"segments?[]", "work before each checkpoint, if nothing fails", Unit::seconds},
     {"cumulative?[]", "work that is done at each checkpoint", Unit::seconds},
     {"checkpoints?", "number of planned checkpoints", Holds::integer},
     {"levels?[]", "level of each checkpoint (local or global), if there are two", Holds::text},
     {"expected_work?", "work saved until the next failure, on average", Unit::seconds},
     {"expected_time?", "time until that failure or the end of the plan, on average",
      Unit::seconds},
     {"share_before_failure?", "expected work over expected time, until the next failure"},
     {"efficiency?", "useful share of the whole run"},
     {"efficiency_standard_error?", "its standard error, if it was simulated"},
     {"efficiency_scenarios?", "runs that were simulated for it", Holds::integer},
     {"expected_makespan?", "time of the whole job, on average", Unit::seconds},
     {"node_hours?", "node-hours of the whole job"},
     {"quantum?", "step of the strategy's grid of work", Unit::seconds},
     {"continuous_share_before_failure?", "that share for the best plan that keeps to no grid"},
     {"by_count?[].checkpoints", "number of checkpoints of another plan", Holds::integer},
     {"by_count?[].expected_work", "work that this plan saves", Unit::seconds},
     {"by_count?[].expected_time", "time that this plan takes", Unit::seconds},
     {"submissions?.time_limit", "wall time of each submission", Unit::seconds},
     {"submissions?.last_checkpoint_at", "when its last checkpoint should begin", Unit::seconds},
     {"submissions?.without_failures?", "submissions that the job needs if nothing fails",
      Holds::integer},
     {"submissions?.expected?", "submissions that it needs with failures, about", Holds::integer}});

}  // namespace

Verb plan_verb() {
  return {.name = "plan",
          .summary = "when to write the next checkpoints, and the gain over other strategies",
          .example = "holdfast checkpoint plan --mtbf 8h --checkpoint 5min --work 24h",
          .options = fields_of<kPlanOptions>().parameters(),
          .results = kPlanResults,
          .takes_strategy = true,
          .takes_seed = false,
          .has_chart = true,
          .unused = kUnusedByPlan,
          .run = with_options<run_plan, fields_of<kPlanOptions>>};
}

}  // namespace holdfast::checkpoint
