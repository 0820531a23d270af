#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/taskgraph/instance_io.hpp"

#include <vector>

namespace holdfast::taskgraph {

/// True for a document in WfFormat (WfCommons), to which fields of ours may have been added.
[[nodiscard]] bool is_workflow(const Value& document);

/// The tasks of such a document. A measured run says how long a task took, not how it scales: its
/// run time times its cores is the work, and `model` (roofline, communication, amdahl, mix; default
/// amdahl) with `sequential_fraction` (default 0.05), `overhead` (seconds, default 0) and
/// `max_parallelism` (default: the machine) says the rest, for all tasks alike.
[[nodiscard]] Result<std::vector<TaskRecord>> read_workflow_tasks(const Value& document,
                                                                  std::int64_t processors);

}  // namespace holdfast::taskgraph
