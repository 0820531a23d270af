#pragma once

#include "holdfast/algorithms/dag.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/contract/field.hpp"
#include "holdfast/models/speedup/speedup.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// A workflow of an engine such as Snakemake, for the domains that plan it: its graph by the engine, and by earlier runs how long the
/// jobs of each rule take on 1, 2, ... cores.
namespace holdfast {

/// The engines for which files are written.
enum class Engine : std::uint8_t { none, snakemake, nextflow };

/// What a user says about a workflow of an engine.
struct EngineOptions {
  std::vector<std::string> runs;
  std::filesystem::path graph;
  std::optional<std::int64_t> cores;
  double delay = 0;
  Engine as = Engine::none;

  /// Returns true if the question is about a workflow of an engine.
  [[nodiscard]] bool is_given() const {
    return !runs.empty() || !graph.empty() || cores || as != Engine::none;
  }
};

/// The fields of these options: the runs, which are positional arguments, and the others.
[[nodiscard]] const Fields<EngineOptions>& engine_runs();
[[nodiscard]] const Fields<EngineOptions>& engine_options();

/// What is known about the jobs of a rule.
struct EngineRule {
  std::string name;
  Speedup speedup = Speedup::amdahl(0, 1);  ///< of a job of size 1
  std::int64_t jobs = 0;
  std::int64_t threads = 1;                 ///< those that the graph says, the median
  std::vector<std::int64_t> measured = {};  ///< numbers of threads with a run time, increasing
  std::string law = {};                     ///< the model of its run time, in words

  /// Returns the seconds of a job. More threads than help do not harm it. @pre threads >= 1
  [[nodiscard]] double time(std::int64_t threads_of_job) const;
};

struct EngineWorkflow {
  std::int64_t cores = 1;
  Dag graph = {};
  std::vector<std::string> ids = {};   ///< of the jobs
  std::vector<Speedup> speedups = {};  ///< of the jobs
  /// How much longer each job took in earlier runs than others of its rule; 1 if nothing is known.
  std::vector<double> sizes = {};
  std::vector<std::string> products = {};   ///< first files that they write, if known
  std::vector<std::uint32_t> rule_of = {};  ///< each job's rule
  std::vector<EngineRule> rules = {};       ///< in the order of their first jobs
  std::vector<std::string> warnings = {};   ///< what was assumed
};

/// Joins a graph with run times by the names of rules. Tasks that no other waits for and that have no run time, such as Snakemake's
/// `all`, are left out. A rule with run times on two numbers of threads is taken to follow Amdahl's law, and one with a single number
/// to have 5 % of sequential work; one with run times on one thread alone gets no more. A job that wrote the same file in the runs has
/// the size that it had there.
/// @param delay  seconds from the end of a job to the start of the next
[[nodiscard]] Result<EngineWorkflow> engine_workflow(const WorkflowRun& graph,
                                                     const SpeedupTable& runs, std::int64_t cores,
                                                     double delay);

/// Reads the runs, which are files or folders of them, and the graph, and joins them. Nextflow does not know its graph before a run: without one, the
/// tasks of the first run stand for the next. @param directory  the folder to which relative paths refer
[[nodiscard]] Result<EngineWorkflow> read_engine_workflow(const EngineOptions& options,
                                                          const std::filesystem::path& directory);

}  // namespace holdfast
