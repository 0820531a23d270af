#include "holdfast/domains/workflow/engine_plan.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/workflow/instance_io.hpp"
#include "holdfast/domains/workflow/simulate.hpp"
#include "holdfast/domains/workflow/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace holdfast::workflow {
namespace {

// What a strategy decides for the jobs of a rule.
struct RuleCut {
  std::int64_t segments = 1;  // of a job, the median
  double every = 0;           // seconds of work between checkpoints
};

// The workflow as a document of this domain: each job takes the time that its rule takes on the threads that the graph says.
Result<ReadInstance> instance_of(const EngineWorkflow& workflow, const Request& request) {
  Value document = request.parameters;
  document.set("processors", workflow.cores);
  Value tasks = Value::array();
  for (std::size_t job = 0; job < workflow.ids.size(); ++job) {
    const std::int64_t threads = workflow.rules[workflow.rule_of[job]].threads;
    const Speedup& speedup = workflow.speedups[job];
    Value parents = Value::array();
    for (const TaskIndex parent : workflow.graph.parents(job)) parents.push(workflow.ids[parent]);
    tasks.push(Value::object({{"id", workflow.ids[job]},
                              {"length", speedup.time(std::min(threads, speedup.limit(threads)))},
                              {"processors", threads},
                              {"parents", std::move(parents)}}));
  }
  document.set("tasks", std::move(tasks));
  return read_instance(document, request.directory);
}

std::vector<RuleCut> rule_cuts(const EngineWorkflow& workflow, const std::vector<Cut>& cuts) {
  std::vector<std::vector<std::int64_t>> segments(workflow.rules.size());
  for (std::size_t job = 0; job < cuts.size(); ++job)
    segments[workflow.rule_of[job]].push_back(cuts[job].segments);
  std::vector<RuleCut> out;
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const auto middle = segments[k].begin() + std::ssize(segments[k]) / 2;
    std::ranges::nth_element(segments[k], middle);
    const EngineRule& rule = workflow.rules[k];
    out.push_back(
        {.segments = *middle, .every = rule.time(rule.threads) / static_cast<double>(*middle)});
  }
  return out;
}

// The interval of each rule whose jobs save before their end, in whole seconds from 10 s on.
std::string config_of(const EngineWorkflow& workflow, const std::vector<RuleCut>& cuts) {
  std::string out = "config:\n";
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    const double every = cuts[k].every;
    if (!(every > 0)) continue;
    out += fmt::format("  - every_{}={}\n", workflow.rules[k].name,
                       every < 10 ? fmt::format("{:.2f}", every) : fmt::format("{:.0f}", every));
  }
  return out;
}

Table rules_table(const EngineWorkflow& workflow, const std::vector<RuleCut>& cuts) {
  Table table{.title = "checkpoints of each rule",
              .columns = {{.title = "rule"},
                          {.title = "jobs"},
                          {.title = "threads"},
                          {.title = "a job", .unit = Unit::seconds},
                          {.title = "checkpoints before its end"},
                          {.title = "every", .unit = Unit::seconds}},
              .rows = {}};
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    const EngineRule& rule = workflow.rules[k];
    table.rows.push_back({rule.name, rule.jobs, rule.threads, rule.time(rule.threads),
                          cuts[k].segments - 1, cuts[k].every});
  }
  return table;
}

}  // namespace

Result<Answer> answer_engine_plan(const EngineOptions& options, const Request& request) {
  if (options.as == Engine::nextflow) {
    return fail(ErrorCode::usage, "/as",
                "found nextflow, expected snakemake: checkpoints are planned on a graph");
  }
  HOLDFAST_TRY(workflow, read_engine_workflow(options, request.directory));
  HOLDFAST_TRY(read, instance_of(workflow, request));
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, read.instance));
  const std::vector<Cut> decisions = decided(PreparedInstance(read.instance), *strategy);
  HOLDFAST_CHECK(status_of_rule(*strategy));
  const std::vector<RuleCut> cuts = rule_cuts(workflow, decisions);
  const auto saving =
      std::ranges::count_if(cuts, [](const RuleCut& cut) { return cut.segments > 1; });
  Answer answer;
  answer.headline = fmt::format("{} of {} on {} cores", counted(workflow.ids.size(), "job"),
                                counted(workflow.rules.size(), "rule"), workflow.cores);
  answer.verdict.push_back(saving == 0
                               ? std::string("no job should save before its end")
                               : fmt::format("the jobs of {} should save before their end",
                                             counted(static_cast<std::size_t>(saving), "rule")));
  answer.tables.push_back(rules_table(workflow, cuts));
  answer.warnings = std::move(read.warnings);
  answer.notes = std::move(workflow.warnings);
  Value rules = Value::array();
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    rules.push(Value::object({{"rule", workflow.rules[k].name},
                              {"segments", cuts[k].segments},
                              {"every", cuts[k].every}}));
  }
  answer.document =
      Value::object({{"strategy", request.strategy->text}, {"rules", std::move(rules)}});
  if (saving == 0 || options.as == Engine::none) return answer;
  std::string config = config_of(workflow, cuts);
  answer.document.set("config", config);
  request.show(answer);
  answer.file = file_of(std::move(config));
  answer.file->name = "profiles/checkpoints/config.yaml";
  answer.file->remark =
      "'--strategy fixed:period={{config[every_RULE]}}' of a guard in a rule takes its interval "
      "from {}";
  return answer;
}

}  // namespace holdfast::workflow
