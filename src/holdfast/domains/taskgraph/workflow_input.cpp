#include "holdfast/domains/taskgraph/workflow_input.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/taskgraph/fields.hpp"
#include "holdfast/traces/workflow/wfformat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast::taskgraph {
namespace {

Speedup speedup_of(const Scaling& scaling, double work) {
  switch (scaling.model) {
    case SpeedupModel::roofline:
      return Speedup::roofline(work, scaling.max_parallelism);
    case SpeedupModel::communication:
      return Speedup::communication(work, scaling.overhead);
    case SpeedupModel::mix:
      return Speedup::mix(work, scaling.max_parallelism, scaling.sequential_fraction,
                          scaling.overhead);
    default:
      return Speedup::amdahl(work, scaling.sequential_fraction);
  }
}

Result<Scaling> read_scaling(const Value& document, std::int64_t processors) {
  ObjectReader read(document, "");
  for (const auto& [name, value] : *document.members()) read.ignore(name);
  Scaling out{.max_parallelism = processors};
  scaling_fields().read(read, out);
  HOLDFAST_CHECK(read.finish());
  return out;
}

}  // namespace

bool is_workflow(const Value& document) {
  const Value* workflow = document.find("workflow");
  return workflow != nullptr && workflow->members() != nullptr;
}

Result<std::vector<TaskRecord>> read_workflow_tasks(const Value& document,
                                                    std::int64_t processors) {
  HOLDFAST_TRY(scaling, read_scaling(document, processors));
  HOLDFAST_TRY(run, read_wfformat_text(to_compact_json(document)));
  HOLDFAST_CHECK(check_measured(run));
  std::vector<TaskRecord> out;
  out.reserve(run.tasks.size());
  for (std::size_t task = 0; task < run.tasks.size(); ++task) {
    const MeasuredTask& measured = run.tasks[task];
    if (!measured.runtime) {
      return fail(ErrorCode::bad_value, "/workflow",
                  fmt::format("task {} has no run time, expected one", in_quotes(measured.id)));
    }
    const auto cores = static_cast<double>(std::max<std::int64_t>(1, measured.cores));
    out.push_back({.id = measured.id, .speedup = speedup_of(scaling, *measured.runtime * cores)});
  }
  for (const auto& [parent, child] : run.dependencies) {
    out[child].parents.push_back(run.tasks[parent].id);
  }
  return out;
}

}  // namespace holdfast::taskgraph
