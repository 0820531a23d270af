#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <string>
#include <string_view>

/// WfFormat, the JSON format of WfCommons for recorded workflow runs. Versions 1.0 to 1.6 are recognised by their structure,
/// not by the version that they state; `traces/README.md` lists their oddities.
namespace holdfast {

/// Reads a workflow of any version. A task without a run time is accepted; callers that need run times check for them. The
/// following are errors, with the pointer into the document and the name of the task: a parent or child that is not a task, a
/// name that two tasks share, a repeated id, a negative run time, a task that waits for itself.
/// @param text  the whole document
[[nodiscard]] Result<WorkflowRun> read_wfformat_text(std::string_view text);

/// Refuses a workflow whose tasks all have run time 0, as benchmarks that were never run have: nothing follows from it. The
/// error has the pointer /workflow.
[[nodiscard]] Status check_measured(const WorkflowRun& run);

/// Reads a workflow from lines that are already open, for the table of formats.
[[nodiscard]] Result<WorkflowRun> read_wfformat_lines(LineReader lines);

/// Returns true if the text begins as a WfFormat document does.
[[nodiscard]] bool looks_like_wfformat(std::string_view head);

/// Returns the document of version 1.5 that reads back as the same tasks, dependencies and run times. Each task has one input
/// and one output file that carry the sizes of its data. A task without a run time has no execution.
/// @pre ids are different
[[nodiscard]] std::string wfformat_text(const WorkflowRun& run);
/// Writes that document to `sink`. Nothing is lost.
[[nodiscard]] Result<Oddities> write_wfformat(const WorkflowRun& run, const TextSink& sink);

}  // namespace holdfast
