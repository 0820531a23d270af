#include "holdfast/domains/taskgraph/verbs/engine_plan.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies/per_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace holdfast::taskgraph {
namespace {

constexpr double kWorthwhile = 0.05;  // a smaller gain is less than such predictions are off

// A choice of threads for each rule, and what it is predicted to take.
struct Choice {
  std::string name;
  std::vector<std::int64_t> threads;
  double makespan = 0;
};

constexpr std::int64_t kMostTimes = 4096;  // of a rule, in the plan for the scheduler

// A workflow as an instance, whose groups are the rules.
struct Problem {
  Instance instance;
  Groups rules;
};

Result<Problem> problem_of(const EngineWorkflow& workflow) {
  Problem out;
  out.instance.processors = workflow.cores;
  out.instance.graph = workflow.graph;
  out.instance.ids = workflow.ids;
  out.rules.of = workflow.rule_of;
  for (const EngineRule& rule : workflow.rules) out.rules.names.push_back(rule.name);
  out.instance.tasks = workflow.speedups;
  for (const std::uint32_t rule : workflow.rule_of)
    out.instance.groups.push_back(workflow.rules[rule].name);
  HOLDFAST_CHECK(check(out.instance));
  return out;
}

// Returns the choices in the order in which they are shown: the plan, what the graph says, and usual numbers.
std::vector<Choice> choices_of(const EngineWorkflow& workflow, const Problem& problem) {
  const Instance& instance = problem.instance;
  const std::size_t rules = workflow.rules.size();
  std::vector<Choice> out = {{.name = "plan", .threads = search_groups(instance, problem.rules)},
                             {.name = "as it is", .threads = {}}};
  for (const EngineRule& rule : workflow.rules) out.back().threads.push_back(rule.threads);
  for (const std::int64_t threads : {std::int64_t{1}, std::int64_t{8}, instance.processors}) {
    if (threads > instance.processors || (threads == 8 && instance.processors == 8)) continue;
    out.push_back({.name = threads == instance.processors ? "all cores each"
                                                          : fmt::format("{} each", threads),
                   .threads = std::vector(rules, threads)});
  }
  OrderlessScore score(instance, problem.rules);
  for (Choice& choice : out) choice.makespan = score(choice.threads);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const GroupRule by_path(instance, problem.rules.of, out[k].threads, QueueOrder::bottom_level);
    out.push_back({.name = out[k].name + ", longest path first",
                   .threads = out[k].threads,
                   .makespan = simulate(instance, by_path).makespan});
  }
  return out;
}

std::string config_of(const EngineOptions& options, const EngineWorkflow& workflow,
                      const Choice& plan, const Choice& now) {
  const bool is_snakemake = options.as != Engine::nextflow;
  const std::string remark =
      fmt::format("predicted: {}, and {} with the threads of the graph",
                  format_duration(plan.makespan), format_duration(now.makespan));
  std::string out = is_snakemake
                        ? fmt::format("# {}\ncores: {}\nset-threads:\n", remark, *options.cores)
                        : fmt::format("// {}\nprocess {{\n", remark);
  for (std::size_t rule = 0; rule < plan.threads.size(); ++rule) {
    out += is_snakemake ? fmt::format("  - {}={}\n", workflow.rules[rule].name, plan.threads[rule])
                        : fmt::format("    withName: '{}' {{ cpus = {} }}\n",
                                      workflow.rules[rule].name, plan.threads[rule]);
  }
  return is_snakemake ? out : out + "}\n";
}

Table rules_table(const EngineWorkflow& workflow, const Choice& plan) {
  Table table{.title = "threads of each rule",
              .columns = {{.title = "rule"},
                          {.title = "jobs"},
                          {.title = "now"},
                          {.title = "plan"},
                          {.title = "a job now", .unit = Unit::seconds},
                          {.title = "by plan", .unit = Unit::seconds},
                          {.title = "measured on"},
                          {.title = "law"}},
              .rows = {}};
  for (std::size_t k = 0; k < workflow.rules.size(); ++k) {
    const EngineRule& rule = workflow.rules[k];
    table.rows.push_back({rule.name, rule.jobs, rule.threads, plan.threads[k],
                          rule.time(rule.threads), rule.time(plan.threads[k]),
                          fmt::format("{}", fmt::join(rule.measured, ", ")), rule.law});
  }
  return table;
}

Table choices_table(const std::vector<Choice>& choices) {
  Table table{
      .title =
          "predicted makespan: the mean over ten orders of waiting jobs, or longest path first",
      .columns = {{.title = "threads"}, {.title = "makespan", .unit = Unit::seconds}},
      .rows = {}};
  for (const Choice& choice : choices) table.rows.push_back({choice.name, choice.makespan});
  return table;
}

// The run times of a rule on 1, 2, ... threads, up to the number that is fastest.
Value times_of(const EngineRule& rule, std::int64_t cores) {
  Value out = Value::array();
  const std::int64_t most = rule.speedup.fastest(std::min(cores, kMostTimes));
  for (std::int64_t p = 1; p <= most; ++p) out.push(rule.speedup.time(p));
  return out;
}

Value document_of(const EngineWorkflow& workflow, const std::vector<Choice>& choices, bool keeps) {
  Value threads = Value::object(), rules = Value::array(), predicted = Value::array();
  for (std::size_t k = 0; k < workflow.rules.size(); ++k) {
    const EngineRule& rule = workflow.rules[k];
    threads.set(rule.name, choices.front().threads[k]);
    rules.push(Value::object({{"rule", rule.name},
                              {"threads", choices.front().threads[k]},
                              {"seconds", times_of(rule, workflow.cores)}}));
  }
  Value sizes = Value::object();
  for (std::size_t job = 0; job < workflow.ids.size(); ++job) {
    if (workflow.sizes[job] != 1) sizes.set(workflow.products[job], workflow.sizes[job]);
  }
  for (const Choice& choice : choices) {
    predicted.push(Value::object({{"threads", choice.name}, {"makespan", choice.makespan}}));
  }
  return Value::object({{"decision", keeps ? "keep" : "change"},
                        {"threads", std::move(threads)},
                        {"predicted", std::move(predicted)},
                        {"rules", std::move(rules)},
                        {"sizes", std::move(sizes)}});
}

}  // namespace

Result<Answer> answer_engine_plan(const EngineOptions& options, const Request& request) {
  HOLDFAST_TRY(workflow, read_engine_workflow(options, request.directory));
  HOLDFAST_TRY(problem, problem_of(workflow));
  const std::vector<Choice> choices = choices_of(workflow, problem);
  const Choice& plan = choices[0];
  const Choice& now = choices[1];
  const double gain = 1 - plan.makespan / now.makespan;
  const bool keeps = !(gain >= kWorthwhile);
  Answer answer;
  answer.headline = fmt::format("{} of {} on {} cores", counted(workflow.ids.size(), "job"),
                                counted(workflow.rules.size(), "rule"), *options.cores);
  answer.verdict.push_back(
      keeps
          ? fmt::format(
                "keep what you have: it is predicted to end after {}, the plan would end after {}",
                format_duration(now.makespan), format_duration(plan.makespan))
          : fmt::format("the plan is predicted to end after {}, {:.0f} % sooner than as it is ({})",
                        format_duration(plan.makespan), 100 * gain, format_duration(now.makespan)));
  answer.tables = {choices_table(choices), rules_table(workflow, plan)};
  answer.notes = workflow.warnings;
  answer.document = document_of(workflow, choices, keeps);
  if (keeps || options.as == Engine::none) return answer;
  std::string config = config_of(options, workflow, plan, now);
  answer.document.set("config", config);
  request.show(answer);
  answer.file = file_of(std::move(config));
  answer.file->name =
      options.as == Engine::snakemake ? "profiles/holdfast/config.yaml" : "holdfast.config";
  answer.file->remark = options.as == Engine::snakemake
                            ? "'snakemake --profile profiles/holdfast' uses {}"
                            : "'nextflow run ... -c {}' uses it";
  return answer;
}

}  // namespace holdfast::taskgraph
