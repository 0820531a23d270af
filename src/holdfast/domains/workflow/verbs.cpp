#include "holdfast/domains/workflow/verbs.hpp"

#include "holdfast/base/csv_cell.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/contract/rule_run.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/workflow/engine_plan.hpp"
#include "holdfast/domains/workflow/headline.hpp"
#include "holdfast/domains/workflow/instance_io.hpp"
#include "holdfast/domains/workflow/plan.hpp"
#include "holdfast/domains/workflow/strategies.hpp"
#include "holdfast/traces/workflow/wfformat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace holdfast::workflow {
namespace {

struct PlanOptions : EngineOptions {
  bool csv = false;
  std::int64_t index = 0;
  std::string against;
};
constexpr auto kPlanOptions = std::to_array<Field<PlanOptions>>({
    {.name = "csv",
     .summary = "one line per task, for a workflow engine",
     .member = member<&PlanOptions::csv>},
    {.name = "index",
     .summary = "which random workflow, counted from 0",
     .member = member<&PlanOptions::index>,
     .range = at_least(0)},
    {.name = "against",
     .summary = "another strategy: count the tasks that both cut in the same way",
     .member = member<&PlanOptions::against>},
});

enum class Format : std::uint8_t { instance, wfformat };
constexpr auto kFormats = std::to_array<std::string_view>({"instance", "wfformat"});

struct GenerateOptions {
  std::string what;
  Format format = Format::instance;
  std::int64_t index = 0;
  std::int64_t size = 2;
};
constexpr auto kGenerateWhat = std::to_array<Field<GenerateOptions>>({
    {.name = "what",
     .summary = "a family (blast, bwa, cycles, ...) or adversary:tight",
     .member = member<&GenerateOptions::what>},
});
constexpr auto kGenerateOptions = std::to_array<Field<GenerateOptions>>({
    {.name = "format",
     .summary = "an instance of Holdfast, or WfFormat 1.5",
     .member = choice<&GenerateOptions::format, kFormats>},
    {.name = "index",
     .summary = "which random workflow, counted from 0",
     .member = member<&GenerateOptions::index>,
     .range = at_least(0)},
    {.name = "size",
     .summary = "K of adversary:tight",
     .member = member<&GenerateOptions::size>,
     .range = between(2, 6)},
});

/// The instance that a verb is asked about, drawn if none is listed.
struct Question {
  Instance instance;
  std::vector<std::string> warnings;
  std::string headline;
};

Result<Question> question_of(const Request& request, std::int64_t index) {
  if (!describes_generator(request.parameters)) {
    HOLDFAST_TRY(read, read_instance(request.parameters, request.directory));
    std::string line = headline(read.instance);
    return Question{std::move(read.instance), std::move(read.warnings), std::move(line)};
  }
  HOLDFAST_TRY(experiment, read_experiment(request.parameters));
  return Question{made(experiment, request.seed, static_cast<std::uint64_t>(index), nullptr, true),
                  {},
                  headline(experiment, request.seed)};
}

Value task_value(const Instance& instance, std::size_t task, const TaskAdvice& advice) {
  return Value::object({{"id", instance.name(task)},
                        {"order", static_cast<std::int64_t>(advice.order)},
                        {"start", advice.start},
                        {"parallelism", std::int64_t{advice.concurrency}},
                        {"period", advice.cut.period},
                        {"segments", advice.cut.segments},
                        {"segment_length", advice.segment_length},
                        {"expected_time", advice.expected_time}});
}

// If nothing fails, the period is infinite, and none is written.
Value plan_document(const Instance& instance, const Plan& plan, const std::string& strategy) {
  Value out = Value::object({{"strategy", strategy}});
  Value::Array tasks;
  tasks.reserve(plan.tasks.size());
  for (std::size_t task = 0; task < plan.tasks.size(); ++task) {
    Value row = task_value(instance, task, plan.tasks[task]);
    for (const std::string_view name : {"period", "expected_time"}) {
      if (!std::isfinite(row.find(name)->number())) row.erase(name);
    }
    tasks.push_back(std::move(row));
  }
  out.set("tasks", Value(std::move(tasks)));
  out.set("failure_free_makespan", plan.failure_free_makespan);
  out.set("planned_makespan", plan.planned_makespan);
  out.set("critical_path", plan.critical_path);
  out.set("total_work", plan.total_work);
  if (plan.ratio_bound) out.set("ratio_bound", *plan.ratio_bound);
  return out;
}

std::string csv_of(const Instance& instance, const Plan& plan) {
  // A value that is not finite is an empty cell, as in other tables.
  const auto cell = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
  };
  std::string out = "task,segments,checkpoint_every_seconds,expected_seconds\n";
  for (std::size_t task = 0; task < plan.tasks.size(); ++task) {
    const TaskAdvice& advice = plan.tasks[task];
    fmt::format_to(std::back_inserter(out), "{},{},{},{}\n", csv_cell(instance.name(task)),
                   advice.cut.segments, cell(advice.segment_length), cell(advice.expected_time));
  }
  return out;
}

constexpr std::size_t kMostRows = 40;

Table plan_table(const Instance& instance, const Plan& plan) {
  Table table{.title = "checkpoints of the tasks, in order of start",
              .columns = {{.title = "task"},
                          {.title = "start", .unit = Unit::seconds},
                          {.title = "beside"},
                          {.title = "segments"},
                          {.title = "checkpoint every", .unit = Unit::seconds},
                          {.title = "expected", .unit = Unit::seconds}}};
  std::vector<std::size_t> order(plan.tasks.size());
  for (std::size_t task = 0; task < order.size(); ++task) order[plan.tasks[task].order] = task;
  for (std::size_t rank = 0; rank < std::min(kMostRows, order.size()); ++rank) {
    const std::size_t task = order[rank];
    const TaskAdvice& advice = plan.tasks[task];
    const Value expected =
        std::isfinite(advice.expected_time) ? Value(advice.expected_time) : Value();
    table.rows.push_back({instance.name(task), advice.start, std::int64_t{advice.concurrency},
                          advice.cut.segments, advice.segment_length, expected});
  }
  return table;
}

// Returns how many tasks are cut into how many segments.
std::string spread_of(const Plan& plan) {
  std::int64_t total = 0;
  std::int64_t most = 0;
  std::size_t cut = 0;
  for (const TaskAdvice& advice : plan.tasks) {
    total += advice.cut.segments;
    most = std::max(most, advice.cut.segments);
    if (advice.cut.segments > 1) ++cut;
  }
  return fmt::format("{} in {}; tasks that checkpoint before their end: {}, with up to {}",
                     counted(total, "checkpoint"), counted(plan.tasks.size(), "task"), cut,
                     counted(most, "segment"));
}

/// Compares the numbers of segments of two strategies, in percent of the tasks.
Result<Value> compared(const PreparedInstance& prepared, std::span<const Cut> cuts,
                       std::string_view against) {
  HOLDFAST_TRY(spec, parse_strategy(against, strategies()));
  HOLDFAST_TRY(strategy, make_strategy(spec, *prepared.instance));
  const std::vector<Cut> others = decided(prepared, *strategy);
  std::int64_t equal = 0;
  std::int64_t one_less = 0;
  for (std::size_t task = 0; task < cuts.size(); ++task) {
    if (cuts[task].segments == others[task].segments) ++equal;
    if (cuts[task].segments + 1 == others[task].segments) ++one_less;
  }
  const auto percent = [&cuts](std::int64_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(cuts.size());
  };
  const auto all = static_cast<std::int64_t>(cuts.size());
  return Value::object({{"strategy", spec.text},
                        {"equal_percent", percent(equal)},
                        {"one_less_percent", percent(one_less)},
                        {"other_percent", percent(all - equal - one_less)}});
}

Result<Answer> run_plan(const PlanOptions& options, const Request& request) {
  if (options.is_given()) return answer_engine_plan(options, request);
  HOLDFAST_TRY(question, question_of(request, options.index));
  const Instance& instance = question.instance;
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, instance));
  const PreparedInstance prepared(instance);
  const std::vector<Cut> cuts = decided(prepared, *strategy);
  HOLDFAST_CHECK(status_of_rule(*strategy));
  const bool same =
      request.strategy->text == "basic-check-more" || request.strategy->text == "min-exp";
  const Plan plan = make_plan(prepared, cuts, same);
  Answer answer;
  answer.warnings = std::move(question.warnings);
  if (options.csv) {
    answer.document = Value(csv_of(instance, plan));
    return answer;
  }
  answer.document = plan_document(instance, plan, request.strategy->text);
  if (!options.against.empty()) {
    HOLDFAST_TRY(comparison, compared(prepared, cuts, options.against));
    answer.lines.push_back(fmt::format("{:.4g} % of the tasks have as many segments as with {}",
                                       comparison.find("equal_percent")->number(),
                                       options.against));
    answer.document.set("against", std::move(comparison));
  }
  answer.headline = std::move(question.headline);
  answer.verdict.push_back(spread_of(plan));
  answer.verdict.push_back(
      fmt::format("without failures {}, with the checkpoints {}; critical path {}",
                  format_duration(plan.failure_free_makespan),
                  format_duration(plan.planned_makespan), format_duration(plan.critical_path)));
  answer.tables.push_back(plan_table(instance, plan));
  if (plan.tasks.size() > kMostRows) {
    answer.lines.push_back(
        fmt::format("... and {} more tasks: see --json or --csv", plan.tasks.size() - kMostRows));
  }
  // A short task with a long checkpoint makes the bound meaningless.
  constexpr double kUseful = 100;
  if (plan.ratio_bound && *plan.ratio_bound < kUseful) {
    answer.lines.push_back(fmt::format(
        "expected makespan over the one without failures: at most {:.3g} for many tasks (theory)",
        *plan.ratio_bound));
  }
  return answer;
}

Answer delivered(const GenerateOptions& options, const Instance& instance, std::string name,
                 const Value& extra) {
  Answer answer;
  if (options.format == Format::wfformat) {
    answer.document = Value(wfformat_text(to_run(instance, std::move(name))));
    return answer;
  }
  answer.document = to_value(instance);
  for (const auto& [key, value] : *extra.members()) answer.document.set(key, value);
  return answer;
}

Result<Answer> run_generate(const GenerateOptions& options, const Request& request) {
  const std::string& what = options.what;
  if (what == "adversary:tight") {
    const double length = static_cast<double>(2 * options.size - 1);
    return delivered(options, tight_instance(options.size), what,
                     Value::object({{"reference", length},
                                    {"about",
                                     "Theorem 22 and Proposition 3: min-exp grows as "
                                     "ln n, check-more stays bounded"}}));
  }
  Request drawn = request;
  if (!what.empty()) {
    if (std::ranges::find(kFamilyNames, what) == kFamilyNames.end()) {
      std::vector<std::string_view> known(kFamilyNames.begin(), kFamilyNames.end());
      known.emplace_back("adversary:tight");
      return fail(ErrorCode::usage, "what",
                  fmt::format("found {}, expected a family ({}) or adversary:tight; {}",
                              in_quotes(what), join(kFamilyNames, ", "), suggestion(what, known)));
    }
    drawn.parameters.set("family", what);
  }
  if (!describes_generator(drawn.parameters)) {
    return fail(ErrorCode::usage, "/instance",
                "found a workflow, expected the parameters of a random one");
  }
  HOLDFAST_TRY(experiment, read_experiment(drawn.parameters));
  const auto index = static_cast<std::uint64_t>(options.index);
  return delivered(options, made(experiment, request.seed, index, nullptr, true),
                   std::string(kFamilyNames[static_cast<std::size_t>(experiment.family)]),
                   Value::object());
}

constexpr auto kPlanResults = std::to_array<ResultField>(
    {{"strategy", "strategy that planned, in canonical form", Holds::text},
     {"tasks?[].id", "a task", Holds::text},
     {"tasks?[].order", "its place in the order of starts", Holds::integer},
     {"tasks?[].start", "when it starts without failures", Unit::seconds},
     {"tasks?[].parallelism", "tasks that run beside it", Holds::integer},
     {"tasks?[].period?", "work between two checkpoints", Unit::seconds},
     {"tasks?[].segments", "number of segments", Holds::integer},
     {"tasks?[].segment_length", "work of a segment", Unit::seconds},
     {"tasks?[].expected_time?", "time of the task, on average", Unit::seconds},
     {"failure_free_makespan?", "makespan without failures and checkpoints", Unit::seconds},
     {"planned_makespan?", "makespan with the checkpoints, without failures", Unit::seconds},
     {"critical_path?", "lower bound from the longest path", Unit::seconds},
     {"total_work?", "work of all tasks", Unit::seconds},
     {"ratio_bound?", "bound of the expected makespan over that without failures"},
     {"against?.strategy", "strategy of --against", Holds::text},
     {"against?.equal_percent", "tasks with as many segments, in %"},
     {"against?.one_less_percent", "tasks with one segment less, in %"},
     {"against?.other_percent", "the others, in %"},
     {"rules?[].rule", "a rule of a workflow of an engine", Holds::text},
     {"rules?[].segments", "segments of each of its jobs", Holds::integer},
     {"rules?[].every", "work between two checkpoints", Unit::seconds},
     {"config?", "the engine's file with the intervals", Holds::text}});

constexpr auto kGenerateResults =
    std::to_array<ResultField>({{"reference?", "makespan without failures", Unit::seconds},
                                {"about?", "what it shows", Holds::text}});

}  // namespace

std::vector<Verb> verbs() {
  static const std::vector<Parameter> kAllPlanOptions =
      one_list({fields_of<kPlanOptions>().parameters(), engine_options().parameters()});
  return {
      {.name = "plan",
       .summary = "how many segments to cut each task into, and the expected makespan",
       .example = "holdfast workflow plan --family blast --tasks 20 --processors 8 --mtbf 10d",
       .options = kAllPlanOptions,
       .positionals = engine_runs().parameters(),
       .results = kPlanResults,
       .takes_strategy = true,
       .run = with_options<run_plan, engine_runs, fields_of<kPlanOptions>, engine_options>},
      {.name = "generate",
       .summary =
           "write a random workflow of one of nine applications, or the worst case of the theory",
       .example = "holdfast workflow generate montage --tasks 1000 --format wfformat",
       .options = fields_of<kGenerateOptions>().parameters(),
       .positionals = fields_of<kGenerateWhat>().parameters(),
       .results = kGenerateResults,
       .gives = Gives::instance,
       .run = with_options<run_generate, fields_of<kGenerateWhat>, fields_of<kGenerateOptions>>},
  };
}

}  // namespace holdfast::workflow
