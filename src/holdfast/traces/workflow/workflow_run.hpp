#pragma once

#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// One task of a workflow, as measured in a run.
struct MeasuredTask {
  std::string id;    ///< identifies the task in the workflow
  std::string name;  ///< several tasks may have the same name; the id if the file gives no name
  std::optional<double> runtime;  ///< seconds, >= 0
  std::int64_t cores = 0;         ///< cores that it used; 0: the file does not say
  double input_bytes = 0;         ///< size of the files that it reads, if known
  double output_bytes = 0;        ///< size of the files that it writes, if known
  std::string product = {};  ///< first file that it writes, if known: the same job in another run

  /// Returns the name of its kind, which tasks that do the same have in common: of Nextflow's "ALIGN (s01)" it is ALIGN.
  [[nodiscard]] std::string kind() const { return name.substr(0, name.find(" (")); }
};

/// One run of a workflow: its tasks, which of them wait for which, and how long each took.
struct WorkflowRun {
  /// A dependency: `child` starts after `parent` has completed. Both are positions in `tasks`.
  struct Dependency {
    std::uint32_t parent = 0;
    std::uint32_t child = 0;

    friend constexpr auto operator<=>(const Dependency&, const Dependency&) = default;
  };

  std::string name;
  std::string schema_version;  ///< version that the file states, which may be wrong
  std::vector<MeasuredTask> tasks;
  std::vector<Dependency> dependencies;  ///< each once, by parent, then child
  /// Measured makespan in seconds. It includes queueing, so it is not a bound for schedules.
  std::optional<double> makespan;
  Oddities oddities;
};

/// Puts the dependencies of a run in order, each once, and adds what is unusual about its tasks to its oddities.
void finish_workflow(WorkflowRun& run);

/// The names of workflows.
template <>
struct KindOf<WorkflowRun> {
  static constexpr std::string_view kName = "workflow";
  static constexpr std::string_view kRecords = "a workflow";
  static constexpr std::string_view kFile = "a workflow";
  static constexpr std::string_view kPlain = "wfformat";
};

/// Refuses every question, because some tasks of a workflow would be a different workflow.
[[nodiscard]] Result<WorkflowRun> sliced(const WorkflowRun& run, const SliceQuestion& question);

}  // namespace holdfast
