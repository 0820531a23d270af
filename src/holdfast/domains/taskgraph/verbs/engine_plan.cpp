#include "holdfast/domains/taskgraph/verbs/engine_plan.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/taskgraph/engine_workflow.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/traces/formats.hpp"

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

std::filesystem::path placed(const std::filesystem::path& path, const Request& request) {
  return path.is_relative() && path != "-" ? request.directory / path : path;
}

void add(SpeedupTable& all, SpeedupTable more) {
  for (SpeedupRuns& runs : more) {
    const auto known = std::ranges::find(all, runs.name, &SpeedupRuns::name);
    if (known == all.end()) {
      all.push_back(std::move(runs));
      continue;
    }
    known->processors.insert(known->processors.end(), runs.processors.begin(),
                             runs.processors.end());
    known->seconds.insert(known->seconds.end(), runs.seconds.begin(), runs.seconds.end());
  }
}

// Reads the run times of a file, or of all files below a folder that have some.
Status add_runs(const std::filesystem::path& path, SpeedupTable& all) {
  if (!std::filesystem::is_directory(path)) {
    HOLDFAST_TRY(runs, read_run_times(path));
    add(all, std::move(runs));
    return {};
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  bool has_any = false;
  for (const auto& file : files) {
    auto runs = read_run_times(file);
    if (!runs) continue;
    has_any = true;
    add(all, std::move(*runs));
  }
  if (has_any) return {};
  return fail(ErrorCode::bad_value, path.string(),
              fmt::format("found no run times in {}, expected logs or benchmark files",
                          counted(files.size(), "file")));
}

Result<EngineWorkflow> read_workflow(const EngineOptions& options, const Request& request) {
  if (options.runs.empty()) {
    return fail(ErrorCode::usage, "/runs",
                "found none, expected logs or benchmark files of earlier runs with other numbers "
                "of threads");
  }
  if (!options.cores) {
    return fail(ErrorCode::usage, "/cores",
                "found none, expected the cores that the workflow may use");
  }
  SpeedupTable runs;
  for (const std::string& run : options.runs) HOLDFAST_CHECK(add_runs(placed(run, request), runs));
  if (options.graph.empty() && options.as != Engine::nextflow) {
    return fail(ErrorCode::usage, "/graph", "found none, expected the text of 'snakemake -n -F'");
  }
  // Nextflow does not know its graph before a run; the tasks of one run stand for the next.
  HOLDFAST_TRY(graph, read_workflow_run(placed(options.graph.empty()
                                                   ? std::filesystem::path(options.runs.front())
                                                   : options.graph,
                                               request)));
  return engine_workflow(graph, runs, *options.cores, options.delay);
}

// Returns the choices in the order in which they are shown: the plan, what the graph says, and usual numbers.
std::vector<Choice> choices_of(const EngineWorkflow& workflow) {
  const Instance& instance = workflow.instance;
  const std::size_t rules = workflow.facts.size();
  std::vector<Choice> out = {{.name = "plan", .threads = search_groups(instance, workflow.rules)},
                             {.name = "as it is", .threads = {}}};
  for (const RuleFacts& facts : workflow.facts) out.back().threads.push_back(facts.threads);
  for (const std::int64_t threads : {std::int64_t{1}, std::int64_t{8}, instance.processors}) {
    if (threads > instance.processors || (threads == 8 && instance.processors == 8)) continue;
    out.push_back({.name = threads == instance.processors ? "all cores each"
                                                          : fmt::format("{} each", threads),
                   .threads = std::vector(rules, threads)});
  }
  OrderlessScore score(instance, workflow.rules);
  for (Choice& choice : out) choice.makespan = score(choice.threads);
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
    out += is_snakemake ? fmt::format("  - {}={}\n", workflow.rules.names[rule], plan.threads[rule])
                        : fmt::format("    withName: '{}' {{ cpus = {} }}\n",
                                      workflow.rules.names[rule], plan.threads[rule]);
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
  std::vector<std::size_t> first(workflow.facts.size());  // a task of each rule
  for (std::size_t task = 0; task < workflow.rules.of.size(); ++task)
    first[workflow.rules.of[task]] = task;
  for (std::size_t rule = 0; rule < workflow.facts.size(); ++rule) {
    const RuleFacts& facts = workflow.facts[rule];
    const Speedup& speedup = workflow.instance.tasks[first[rule]];
    const auto time = [&](std::int64_t p) {
      return speedup.time(std::min(p, speedup.limit(workflow.instance.processors)));
    };
    table.rows.push_back({workflow.rules.names[rule], facts.jobs, facts.threads, plan.threads[rule],
                          time(facts.threads), time(plan.threads[rule]),
                          fmt::format("{}", fmt::join(facts.measured, ", ")), facts.law});
  }
  return table;
}

Table choices_table(const std::vector<Choice>& choices) {
  Table table{.title = "predicted makespan, the mean over ten orders of waiting jobs",
              .columns = {{.title = "threads"}, {.title = "makespan", .unit = Unit::seconds}},
              .rows = {}};
  for (const Choice& choice : choices) table.rows.push_back({choice.name, choice.makespan});
  return table;
}

Value document_of(const EngineWorkflow& workflow, const std::vector<Choice>& choices, bool keeps) {
  Value threads = Value::object();
  for (std::size_t rule = 0; rule < workflow.facts.size(); ++rule)
    threads.set(workflow.rules.names[rule], choices.front().threads[rule]);
  Value predicted = Value::array();
  for (const Choice& choice : choices) {
    predicted.push(Value::object({{"threads", choice.name}, {"makespan", choice.makespan}}));
  }
  return Value::object({{"decision", keeps ? "keep" : "change"},
                        {"threads", std::move(threads)},
                        {"predicted", std::move(predicted)}});
}

}  // namespace

Result<Answer> answer_engine_plan(const EngineOptions& options, const Request& request) {
  HOLDFAST_TRY(workflow, read_workflow(options, request));
  const std::vector<Choice> choices = choices_of(workflow);
  const Choice& plan = choices[0];
  const Choice& now = choices[1];
  const double gain = 1 - plan.makespan / now.makespan;
  const bool keeps = !(gain >= kWorthwhile);
  Answer answer;
  answer.headline = fmt::format("{} of {} on {} cores", counted(workflow.instance.size(), "job"),
                                counted(workflow.facts.size(), "rule"), *options.cores);
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
