#include "holdfast/domains/checkpoint/plan.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/checkpoint/fixed_period.hpp"
#include "holdfast/domains/checkpoint/headline.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/progress.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {
namespace {

/// Number of checkpoints in a table for people; programs get all.
constexpr std::size_t kShown = 20;

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
  Value document =
      Value::object({{"time_limit", limit}, {"last_checkpoint_at", limit - instance.checkpoint}});
  if (std::isfinite(instance.work)) {
    const auto count = [&](const auto& saved_in) {
      // A later one begins with reading a checkpoint.
      const double left = instance.work - saved_in(limit);
      const double more = std::ceil(left / saved_in(limit - instance.recovery) * (1 - 1e-12));
      return 1 + static_cast<std::int64_t>(std::max(0.0, more));
    };
    const double period = plan.cuts.front();
    const auto undisturbed = count([&](double time) {  // with one more checkpoint at the end
      const double whole = std::floor(time / (period + instance.checkpoint));
      const double rest = time - whole * (period + instance.checkpoint);
      return whole * period + std::max(0.0, rest - instance.checkpoint);
    });
    // In the long run the efficiency of the plan holds for all of the time.
    const auto expected =
        std::max(undisturbed, count([&](double time) { return plan.worth.efficiency * time; }));
    document.set("without_failures", undisturbed);
    document.set("expected", expected);
    answer.verdict.push_back(
        fmt::format("with a limit of {}: {} if nothing fails, about {} with failures",
                    format_duration(limit), counted(undisturbed, "submission"), expected));
  }
  answer.verdict.push_back(fmt::format(
      "begin the last checkpoint of each submission {} before its end, which then loses nothing",
      format_duration(instance.checkpoint)));
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

Value document_of(const Plan& plan, const StrategySpec& spec, const Strategy& strategy) {
  Value document = Value::object({{"strategy", spec.text},
                                  {"segments", segments_of(plan)},
                                  {"cumulative", Value::list(plan.cuts)},
                                  {"checkpoints", static_cast<std::int64_t>(plan.cuts.size())},
                                  {"expected_work", plan.worth.expected_work},
                                  {"expected_time", plan.worth.expected_time},
                                  {"efficiency", plan.worth.efficiency}});
  if (!plan.levels.empty()) {
    Value levels = Value::array();
    for (const Level level : plan.levels) levels.push(name_of(level));
    document.set("levels", std::move(levels));
  }
  if (strategy.quantum() > 0) {
    document.set("quantum", strategy.quantum());
    document.set("continuous_efficiency", plan.continuous_efficiency);
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

Table table_of(const Plan& plan) {
  Table table{.title = "checkpoints, if nothing fails",
              .columns = {{.title = "checkpoint"},
                          {.title = "work before it", .unit = Unit::seconds},
                          {.title = "work done", .unit = Unit::seconds}}};
  if (!plan.levels.empty()) table.columns.push_back({.title = "level"});
  double before = 0;
  for (std::size_t k = 0; k < std::min(plan.cuts.size(), kShown); ++k) {
    table.rows.push_back({static_cast<std::int64_t>(k + 1), plan.cuts[k] - before, plan.cuts[k]});
    if (!plan.levels.empty()) table.rows.back().emplace_back(name_of(plan.levels[k]));
    before = plan.cuts[k];
  }
  return table;
}

// "young-daly: every 2 h 31 min of work, efficiency 0.412345": what another rule would do here.
std::string beside(std::string_view name, std::string_view every, const Plan& plan) {
  return fmt::format("{}: {} {} of work, efficiency {:.6f}", name, every,
                     format_duration(plan.cuts.front()), plan.worth.efficiency);
}

/// A smaller difference of efficiency is not reported as a gain.
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
    const double gain = plan.worth.efficiency - by_mean.worth.efficiency;
    const double known = (by_rate.worth.efficiency - by_mean.worth.efficiency) / gain;
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

// One line for another program; a text is printed as it is.
Answer line_for_program(std::string line) {
  Answer answer;
  answer.document = Value(std::move(line) + "\n");
  return answer;
}

Result<Answer> as_setting(Tool tool, const Instance& instance, const Plan& plan) {
  HOLDFAST_TRY(fixed, best_fixed_period(instance));
  Answer answer = line_for_program(setting_of(tool, fixed.period, instance.checkpoint));
  answer.warnings = instance.notes;
  answer.warnings.push_back(fmt::format(
      "with a checkpoint every {0} of work, {1:.2f} % of the time until the next failure becomes "
      "saved work; with the plan of '{3}', {2:.2f} %, and the next checkpoint comes after {4}",
      format_duration(fixed.period), 100 * fixed.efficiency, 100 * plan.worth.efficiency,
      "holdfast checkpoint plan", format_duration(plan.cuts.front())));
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

Result<Answer> run_plan(const PlanOptions& options, const Request& request) {
  HOLDFAST_TRY(instance, instance_of(request));
  if (!instance.law) {
    return fail(ErrorCode::bad_value, "/failures",
                "found no law ('distribution' or 'mtbf'), which a plan needs");
  }
  if (knows_future(*request.strategy)) {
    return fail(ErrorCode::usage, "--strategy",
                fmt::format("found {}, which knows when failures strike, expected one that does "
                            "not: a plan is made before they strike ('simulate' runs {})",
                            request.strategy->text, request.strategy->text));
  }
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, instance));
  HOLDFAST_TRY(plan, make_plan(instance, *strategy));
  if (options.as != Tool::none || options.print == Printed::next) {
    const auto none = no_progress(instance, plan.worth.efficiency);
    if (none && plan.worth.efficiency < kNoProgress) return fail(ErrorCode::infeasible, "", *none);
  }
  if (options.as != Tool::none) return as_setting(options.as, instance, plan);
  if (options.print == Printed::next) {
    Answer next = line_for_program(fmt::format("{:.6g}", plan.cuts.front()));
    next.warnings = instance.notes;
    return next;
  }
  Answer answer;
  answer.document = document_of(plan, *request.strategy, *strategy);
  answer.headline = headline(instance);
  answer.warnings = instance.notes;
  if (lacks_ages(instance)) {
    HOLDFAST_TRY(aged, when_long_in_service(instance, *request.strategy));
    answer.warnings.push_back(aged);
  }
  const auto trouble = no_progress(instance, plan.worth.efficiency);
  if (trouble && plan.worth.efficiency < kNoProgress) {
    answer.verdict.push_back(*trouble);  // and nothing else: the numbers would be meaningless
    return answer;
  }
  answer.warnings.insert(answer.warnings.end(), plan.warnings.begin(), plan.warnings.end());
  if (trouble) answer.warnings.push_back(*trouble);
  answer.verdict.push_back(fmt::format("next checkpoint after {} of work{}",
                                       format_duration(plan.cuts.front()), levels_in_words(plan)));
  answer.verdict.push_back(
      fmt::format("until the next failure: {} of work saved in {}, efficiency {:.6f}",
                  format_duration(plan.worth.expected_work),
                  format_duration(plan.worth.expected_time), plan.worth.efficiency));
  if (instance.time_limit > 0) add_submissions(instance, plan, answer);
  answer.tables.push_back(table_of(plan));
  if (plan.cuts.size() > kShown) {
    answer.lines.push_back(
        fmt::format("and {} more (--json lists all)", plan.cuts.size() - kShown));
  }
  HOLDFAST_TRY(others, beside_others(instance, plan));
  answer.lines.insert(answer.lines.end(), others.begin(), others.end());
  return answer;
}

// A plan ends at the next failure, so these fields have no effect.
constexpr auto kUnusedByPlan = std::to_array<std::string_view>(
    {"rejuvenation", "horizon", "planning_time", "iteration", "checkpoint_spread",
     "recovery_spread", "belief_distribution", "belief_mtbf", "belief_shape", "belief_file"});

}  // namespace

Verb plan_verb() {
  return {.name = "plan",
          .summary = "when to write the next checkpoints, and the gain over other strategies",
          .example = "holdfast checkpoint plan --mtbf 8h --checkpoint 5min --work 24h",
          .options = fields_of<kPlanOptions>().parameters(),
          .takes_strategy = true,
          .takes_seed = false,
          .unused = kUnusedByPlan,
          .run = with_options<run_plan, fields_of<kPlanOptions>>};
}

}  // namespace holdfast::checkpoint
