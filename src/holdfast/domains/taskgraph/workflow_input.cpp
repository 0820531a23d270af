#include "holdfast/domains/taskgraph/workflow_input.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/traces/wfformat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast::taskgraph {
namespace {

// In the order of SpeedupModel.
constexpr auto kModels =
    std::to_array<std::string_view>({"roofline", "communication", "amdahl", "mix"});

/// How all tasks of a workflow scale.
struct Scaling {
  SpeedupModel model = SpeedupModel::amdahl;
  double sequential_fraction = 0.05;
  double overhead = 0;  ///< seconds
  std::int64_t max_parallelism = 1;

  [[nodiscard]] Speedup of(double work) const {
    switch (model) {
      case SpeedupModel::roofline:
        return Speedup::roofline(work, max_parallelism);
      case SpeedupModel::communication:
        return Speedup::communication(work, overhead);
      case SpeedupModel::mix:
        return Speedup::mix(work, max_parallelism, sequential_fraction, overhead);
      default:
        return Speedup::amdahl(work, sequential_fraction);
    }
  }
};

Result<Scaling> read_scaling(const Value& document, std::int64_t processors) {
  ObjectReader read(document, "");
  for (const auto& [name, value] : *document.members()) read.ignore(name);
  Scaling out;
  out.model = static_cast<SpeedupModel>(
      read.choice_or("model", kModels, static_cast<std::size_t>(SpeedupModel::amdahl)));
  out.sequential_fraction =
      read.number_or("sequential_fraction", out.sequential_fraction, between(0, 1));
  out.overhead = read.seconds_or("overhead", out.overhead, non_negative());
  out.max_parallelism = read.integer_or("max_parallelism", processors, at_least(1));
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
  std::vector<TaskRecord> out;
  out.reserve(run.tasks.size());
  for (std::size_t task = 0; task < run.tasks.size(); ++task) {
    const MeasuredTask& measured = run.tasks[task];
    if (!measured.runtime) {
      return fail(ErrorCode::bad_value, "/workflow",
                  fmt::format("task {} has no run time, expected one", in_quotes(measured.id)));
    }
    const auto cores = static_cast<double>(std::max<std::int64_t>(1, measured.cores));
    out.push_back({.id = measured.id, .speedup = scaling.of(*measured.runtime * cores)});
  }
  for (const auto& [parent, child] : run.dependencies) {
    out[child].parents.push_back(run.tasks[parent].id);
  }
  return out;
}

}  // namespace holdfast::taskgraph
