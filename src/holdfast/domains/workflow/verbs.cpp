#include "holdfast/domains/workflow/verbs.hpp"

#include "holdfast/base/csv_cell.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/workflow/headline.hpp"
#include "holdfast/domains/workflow/instance_io.hpp"
#include "holdfast/domains/workflow/plan.hpp"
#include "holdfast/domains/workflow/point.hpp"
#include "holdfast/domains/workflow/strategies.hpp"
#include "holdfast/traces/wfformat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace holdfast::workflow {
namespace {

constexpr auto kPlanOptions = std::to_array<Parameter>({
    {.name = "csv", .summary = "one line per task, for a workflow engine", .kind = Kind::flag},
    {.name = "index",
     .summary = "which random workflow of the seed",
     .kind = Kind::integer,
     .range = at_least(0),
     .fallback = "0"},
    {.name = "against",
     .summary = "how many tasks another strategy cuts alike",
     .kind = Kind::text},
});
constexpr auto kFormats = std::to_array<std::string_view>({"instance", "wfformat"});
constexpr auto kGenerateOptions = std::to_array<Parameter>({
    {.name = "format",
     .summary = "an instance of Holdfast, or WfFormat 1.5",
     .kind = Kind::choice,
     .fallback = "instance",
     .choices = kFormats},
    {.name = "index",
     .summary = "which random workflow of the seed",
     .kind = Kind::integer,
     .range = at_least(0),
     .fallback = "0"},
    {.name = "size",
     .summary = "K of adversary:tight",
     .kind = Kind::integer,
     .range = between(2, 6),
     .fallback = "2"},
});
constexpr auto kWhat = std::to_array<Parameter>({
    {.name = "what",
     .summary = "a family (blast, bwa, cycles, ...) or adversary:tight",
     .kind = Kind::text},
});

std::int64_t integer_option(const Request& request, std::string_view name, std::int64_t fallback) {
  const Value* value = request.options.find(name);
  std::int64_t out = 0;
  return value != nullptr && value->get_integer(out) ? out : fallback;
}

// The instance of a verb that can also draw one.
Result<ReadInstance> instance_of(const Request& request) {
  if (!describes_generator(request.parameters)) {
    return read_instance(request.parameters, request.directory);
  }
  HOLDFAST_TRY(experiment, read_experiment(request.parameters));
  const auto index = static_cast<std::uint64_t>(integer_option(request, "index", 0));
  return ReadInstance{made(experiment, request.seed, index, nullptr, true), {}};
}

Result<std::string> headline_of(const Request& request, const Instance& instance) {
  if (!describes_generator(request.parameters)) return headline(instance);
  HOLDFAST_TRY(experiment, read_experiment(request.parameters));
  return headline(experiment, request.seed);
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

// A period is infinite where nothing fails: then there is none.
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
  // What is no number for a program is an empty cell, as in other tables.
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

// How many tasks are cut into how many segments.
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

/// How many tasks two strategies cut alike, in percent.
Result<Value> compared(const Prepared& prepared, std::span<const Cut> cuts, const Value& against) {
  HOLDFAST_TRY(spec, parse_strategy(*against.string(), strategy_table()));
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

Result<Answer> run_plan(const Request& request) {
  HOLDFAST_TRY(read, instance_of(request));
  const Instance& instance = read.instance;
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, instance));
  const Prepared prepared(instance);
  const std::vector<Cut> cuts = decided(prepared, *strategy);
  const bool same =
      request.strategy->text == "basic-check-more" || request.strategy->text == "min-exp";
  const Plan plan = make_plan(prepared, cuts, same);
  Answer answer;
  answer.warnings = std::move(read.warnings);
  if (request.options.find("csv") != nullptr) {
    answer.document = Value(csv_of(instance, plan));
    return answer;
  }
  answer.document = plan_document(instance, plan, request.strategy->text);
  if (const Value* against = request.options.find("against")) {
    HOLDFAST_TRY(comparison, compared(prepared, cuts, *against));
    answer.lines.push_back(fmt::format("{:.4g} % of the tasks have as many segments as with {}",
                                       comparison.find("equal_percent")->number(),
                                       *against->string()));
    answer.document.set("against", std::move(comparison));
  }
  HOLDFAST_TRY(problem, headline_of(request, instance));
  answer.headline = std::move(problem);
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
  constexpr double kUseful =
      100;  // a short task that pays a long checkpoint makes the bound say nothing
  if (plan.ratio_bound && *plan.ratio_bound < kUseful) {
    answer.lines.push_back(fmt::format(
        "expected makespan over the one without failures: at most {:.3g} for many tasks (theory)",
        *plan.ratio_bound));
  }
  return answer;
}

std::string type_names() {
  std::vector<std::string_view> names(kFamilyNames.begin(), kFamilyNames.end());
  return join(names, ", ");
}

Result<Answer> delivered(const Request& request, const Instance& instance, std::string name,
                         Value extra) {
  Answer answer;
  const Value* format = request.options.find("format");
  if (format != nullptr && *format->string() == "wfformat") {
    answer.document = Value(wfformat_text(to_run(instance, std::move(name))));
    return answer;
  }
  answer.document.set("holdfast", Value::object({{"kind", "workflow-instance"}, {"version", 1}}));
  Value document = to_value(instance);
  for (auto& [key, value] : *document.members()) answer.document.set(key, std::move(value));
  for (auto& [key, value] : *extra.members()) answer.document.set(key, std::move(value));
  return answer;
}

Result<Answer> run_generate(const Request& request) {
  const Value* given = request.options.find("what");
  const std::string what = given == nullptr ? std::string() : *given->string();
  if (what == "adversary:tight") {
    const std::int64_t size = integer_option(request, "size", 2);
    const double length = static_cast<double>(2 * size - 1);
    return delivered(request, tight_instance(size), what,
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
                              in_quotes(what), type_names(), suggestion(what, known)));
    }
    drawn.parameters.set("family", what);
  }
  if (!describes_generator(drawn.parameters)) {
    return fail(ErrorCode::usage, "--instance",
                "found a workflow, expected the parameters of a random one");
  }
  HOLDFAST_TRY(read, instance_of(drawn));
  const Value* family = drawn.parameters.find("family");
  return delivered(request, read.instance, family == nullptr ? "seismology" : *family->string(),
                   Value::object());
}

}  // namespace

std::vector<Verb> verbs() {
  return {
      {.name = "plan",
       .summary = "into how many segments to cut each task, and what to expect",
       .example = "holdfast workflow plan --family blast --tasks 20 --processors 8 --mtbf 10d",
       .options = kPlanOptions,
       .takes_strategy = true,
       .run = run_plan},
      {.name = "generate",
       .summary = "write a random workflow of nine applications, or the worst case of the theory",
       .example = "holdfast workflow generate montage --tasks 1000 --format wfformat",
       .options = kGenerateOptions,
       .positionals = kWhat,
       .writes_instance = true,
       .run = run_generate},
  };
}

}  // namespace holdfast::workflow
