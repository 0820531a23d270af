#pragma once

#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// One task of a workflow, as a run of it was measured.
struct MeasuredTask {
  std::string id;    ///< identifies the task in the workflow
  std::string name;  ///< several tasks may have the same; the id if the file gives none
  std::optional<double> runtime;  ///< seconds, >= 0
  std::int64_t cores = 0;         ///< cores that it used; 0: the file does not say
  double input_bytes = 0;         ///< size of the files that it reads, as far as it is known
  double output_bytes = 0;        ///< size of the files that it writes, likewise
};

/// A workflow that was run once: its tasks, which of them wait for which, and how long each took.
struct WorkflowRun {
  /// A dependency: `child` starts after `parent` has completed. Both are positions in `tasks`.
  struct Dependency {
    std::uint32_t parent = 0;
    std::uint32_t child = 0;

    friend constexpr auto operator<=>(const Dependency&, const Dependency&) = default;
  };

  std::string name;
  std::string schema_version;  ///< as the file states it, which is not always true
  std::vector<MeasuredTask> tasks;
  std::vector<Dependency> dependencies;  ///< each once, by parent, then child
  /// Seconds as measured, including queueing, so it bounds no schedule.
  std::optional<double> makespan;
  Oddities oddities;
};

/// The names of workflows.
template <>
struct KindOf<WorkflowRun> {
  static constexpr std::string_view kName = "workflow";
  static constexpr std::string_view kRecords = "a workflow";
  static constexpr std::string_view kFile = "a workflow";
  static constexpr std::string_view kPlain = "wfformat";
};

/// Refuses every question: some tasks of a workflow are another workflow.
[[nodiscard]] Result<WorkflowRun> sliced(const WorkflowRun& run, const SliceQuestion& question);

}  // namespace holdfast
