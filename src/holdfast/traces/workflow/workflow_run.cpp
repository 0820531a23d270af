#include "holdfast/traces/workflow/workflow_run.hpp"

namespace holdfast {

Result<WorkflowRun> sliced(const WorkflowRun&, const SliceQuestion&) {
  return fail(ErrorCode::usage, "",
              "found a workflow, expected a trace that has parts: some of its tasks are another "
              "workflow");
}

}  // namespace holdfast
