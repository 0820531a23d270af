#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategies/per_group.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// A workflow of an engine such as Snakemake as an instance: its graph by the engine, and by earlier runs how long the jobs of each rule
/// take on 1, 2, ... cores.
namespace holdfast::taskgraph {

/// What is known about the jobs of a rule.
struct RuleFacts {
  std::int64_t jobs = 0;
  std::int64_t threads = 1;                 ///< those that the graph says, the median
  std::vector<std::int64_t> measured = {};  ///< numbers of threads with a run time, increasing
  std::string law = {};                     ///< the model of its run time, in words
};

/// The groups of the instance are the rules.
struct EngineWorkflow {
  Instance instance;
  Groups rules;
  std::vector<RuleFacts> facts;       ///< by rule
  std::vector<std::string> warnings;  ///< what was assumed
};

/// Joins a graph with run times by the names of rules. Tasks that no other waits for and that have no run time, such as Snakemake's
/// `all`, are left out. A rule with run times on two numbers of threads is taken to follow Amdahl's law, and one with a single number
/// to have 5 % of sequential work; one with run times on one thread alone gets no more. @param delay  seconds from the end of a job to the start of the next
[[nodiscard]] Result<EngineWorkflow> engine_workflow(const WorkflowRun& graph,
                                                     const SpeedupTable& runs, std::int64_t cores,
                                                     double delay);

}  // namespace holdfast::taskgraph
