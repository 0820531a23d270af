#include "holdfast/base/units.hpp"
#include "holdfast/contract/rule_run.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/taskgraph/allocation.hpp"
#include "holdfast/domains/taskgraph/bounds.hpp"
#include "holdfast/domains/taskgraph/headline.hpp"
#include "holdfast/domains/taskgraph/instance_io.hpp"
#include "holdfast/domains/taskgraph/point.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies.hpp"
#include "holdfast/domains/taskgraph/strategies/wide_lpa.hpp"
#include "holdfast/domains/taskgraph/verbs.hpp"
#include "holdfast/domains/taskgraph/verbs/engine_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::taskgraph {
namespace {

/// Number of tasks in a table for people; programs get all.
constexpr std::size_t kShown = 30;

/// First attempts, by task.
struct Launches {
  std::vector<std::int64_t> allocations;
  std::vector<double> starts, durations;
};

Launches launches_of(const Instance& instance, const Schedule& schedule) {
  Launches out;
  out.allocations.resize(instance.size());
  out.starts.resize(instance.size());
  out.durations.resize(instance.size());
  for (const Attempt& attempt : schedule) {
    if (attempt.number != 1) continue;
    out.allocations[attempt.task] = attempt.processors;
    out.starts[attempt.task] = attempt.start;
    out.durations[attempt.task] = instance.tasks[attempt.task].time(attempt.processors);
  }
  return out;
}

std::vector<std::int64_t> fastest_of(const Instance& instance) {
  std::vector<std::int64_t> out;
  for (const Speedup& task : instance.tasks) out.push_back(task.fastest(instance.processors));
  return out;
}

// Adds the parameters of Algorithm 4, and its allocations before the cap. One rule serves all tasks, or each model has its own.
void add_rule(const Instance& instance, const CappedLpa& rule, Value& document) {
  std::vector<std::int64_t> initial;
  double area_ratio = 1, time_ratio = 1;
  bool is_common = true;
  const AllocationRule& first = rule.rule(instance.tasks.front().model());
  for (const Speedup& task : instance.tasks) {
    const AllocationRule& own = rule.rule(task.model());
    is_common = is_common && own.alpha == first.alpha && own.mu == first.mu;
    const std::int64_t p = initial_allocation(task, instance.processors, own.alpha);
    initial.push_back(p);
    const double least_area = task.least_area(instance.processors);
    if (!(least_area > 0)) continue;
    area_ratio = std::max(area_ratio, task.area(p) / least_area);
    time_ratio = std::max(time_ratio, task.time(p) / task.time(task.fastest(instance.processors)));
  }
  document.set("initial_allocations", Value::list(initial));
  document.set("largest_area_ratio", area_ratio);
  document.set("largest_time_ratio", time_ratio);
  if (!is_common) return;
  document.set("alpha", first.alpha);
  if (rule.beta() && !instance.fails_by_processors()) document.set("beta", *rule.beta());
  document.set("mu", first.mu);
  document.set("cap", allocation_cap(first.mu, instance.processors));
}

Value document_of(const Instance& instance, const StrategySpec& spec, const Strategy& strategy,
                  const Launches& launches, const Metrics& metrics, const Bounds& bounds) {
  Value document = Value::object({{"strategy", spec.text},
                                  {"allocations", Value::list(launches.allocations)},
                                  {"durations", Value::list(launches.durations)},
                                  {"starts", Value::list(launches.starts)},
                                  {"fastest", Value::list(fastest_of(instance))}});
  const auto* rule = dynamic_cast<const CappedLpa*>(&strategy);
  if (const auto* wide = dynamic_cast<const WideLpa*>(&strategy)) rule = &wide->base();
  if (rule != nullptr) add_rule(instance, *rule, document);
  if (const auto ratio = strategy.proven_ratio()) document.set("proven_ratio", *ratio);
  document.set("makespan", metrics.makespan);
  document.set("lower_bound", bounds.lower());
  document.set("area_bound", bounds.area);
  document.set("critical_path", bounds.critical_path);
  return document;
}

Table table_of(const Instance& instance, const Launches& launches) {
  Table table{.title = "when each task would be launched, and on what",
              .columns = {{.title = "task"},
                          {.title = "processors"},
                          {.title = "fastest on"},
                          {.title = "start", .unit = Unit::seconds},
                          {.title = "duration", .unit = Unit::seconds}},
              .rows = {}};
  for (std::size_t task = 0; task < std::min(instance.size(), kShown); ++task) {
    table.rows.push_back({instance.name(task), launches.allocations[task],
                          instance.tasks[task].fastest(instance.processors), launches.starts[task],
                          launches.durations[task]});
  }
  return table;
}

std::string verdict_of(const Metrics& metrics, const Bounds& bounds) {
  return fmt::format("ends after {}; no schedule ends before {} (area {}, critical path {})",
                     format_duration(metrics.makespan), format_duration(bounds.lower()),
                     format_duration(bounds.area), format_duration(bounds.critical_path));
}

std::vector<std::string> lines_of(const Instance& instance, const Strategy& strategy) {
  std::vector<std::string> lines;
  if (instance.size() > kShown) {
    lines.push_back(fmt::format("and {} more (--json lists all)", instance.size() - kShown));
  }
  if (const auto ratio = strategy.proven_ratio()) {
    lines.push_back(fmt::format("proven: never more than {:.4f} times the best possible", *ratio));
  }
  if (strategy.order() == QueueOrder::bottom_level) {
    lines.push_back("not online: the order bottom-level reads the whole graph");
  }
  return lines;
}

Result<std::string> headline_of(const Request& request, const Instance& instance) {
  if (!describes_generator(request.parameters)) return headline(instance);
  HOLDFAST_TRY(parameters, read_generator(request.parameters, request.directory));
  return headline(parameters, request.seed);
}

Result<Answer> answer_plan(const EngineOptions& engine, const Request& request) {
  if (engine.is_given()) return answer_engine_plan(engine, request);
  HOLDFAST_TRY(instance, instance_of(request));
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, instance));
  Schedule schedule;
  const Metrics metrics = simulate(instance, *strategy, instance.failures, &schedule);
  HOLDFAST_CHECK(status_of_rule(*strategy));
  const Launches launches = launches_of(instance, schedule);
  const Bounds bounds = lower_bounds(instance, instance.failures);
  Answer answer;
  answer.document = document_of(instance, *request.strategy, *strategy, launches, metrics, bounds);
  HOLDFAST_TRY(problem, headline_of(request, instance));
  answer.headline = std::move(problem);
  answer.tables.push_back(table_of(instance, launches));
  answer.verdict.push_back(verdict_of(metrics, bounds));
  answer.lines = lines_of(instance, *strategy);
  answer.warnings = warnings(instance);
  answer.schedules.push_back({.timeline = to_timeline(instance, schedule)});
  return answer;
}

constexpr auto kPlanResults = std::to_array<ResultField>(
    {{"strategy?", "strategy that planned, in canonical form", Holds::text},
     {"allocations?[]", "processors of each task", Holds::integer},
     {"durations?[]", "duration of each task", Unit::seconds},
     {"starts?[]", "when each task starts", Unit::seconds},
     {"fastest?[]", "processors with which each task is fastest", Holds::integer},
     {"initial_allocations?[]", "processors of each task before they are capped", Holds::integer},
     {"largest_area_ratio?", "largest ratio of a task's area to its least one"},
     {"largest_time_ratio?", "largest ratio of a task's time to its least one"},
     {"alpha?", "parameter of the proof"},
     {"beta?", "parameter of the proof"},
     {"mu?", "part of the processors to which allocations are capped"},
     {"cap?", "processors to which they are capped", Holds::integer},
     {"proven_ratio?", "ratio to the optimum that is proven"},
     {"makespan?", "makespan of the plan", Unit::seconds},
     {"lower_bound?", "makespan that no schedule beats", Unit::seconds},
     {"area_bound?", "lower bound from the work", Unit::seconds},
     {"critical_path?", "lower bound from the longest path", Unit::seconds},
     {"decision?", "of a workflow of an engine: keep its threads, or change them", Holds::text},
     {"threads?.*", "threads of each rule by the plan", Holds::integer},
     {"predicted?[].threads", "threads that were compared", Holds::text},
     {"predicted?[].makespan", "what they are predicted to take", Unit::seconds},
     {"rules?[].rule", "a rule, for the scheduler of an engine", Holds::text},
     {"rules?[].threads", "its threads by the plan", Holds::integer},
     {"rules?[].seconds[]", "time of a job on 1, 2, ... threads, up to the fastest", Unit::seconds},
     {"sizes?.*", "how much longer a job took than others of its rule, by its first file"},
     {"config?", "the engine's file that sets the threads", Holds::text}});

}  // namespace

Verb plan_verb() {
  return {.name = "plan",
          .summary = "on how many processors to launch each task, if nothing fails",
          .example = "holdfast taskgraph plan --tasks 20 --model amdahl --processors 64",
          .options = engine_options().parameters(),
          .positionals = engine_runs().parameters(),
          .results = kPlanResults,
          .takes_strategy = true,
          .has_schedule = true,
          .run = with_options<answer_plan, engine_runs, engine_options>};
}

}  // namespace holdfast::taskgraph
