#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/taskgraph/generator.hpp"
#include "holdfast/domains/taskgraph/instance_io.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::taskgraph {

/// How all tasks of a workflow scale: a measured run says how long a task took, not this.
struct Scaling {
  SpeedupModel model = SpeedupModel::amdahl;  ///< roofline, communication, amdahl or mix
  double sequential_fraction = 0.05;
  double overhead = 0;               ///< seconds
  std::int64_t max_parallelism = 1;  ///< where a document does not say, that of the machine
};
inline constexpr std::span<const std::string_view> kScalingModels =
    std::span(kTaskModels).first<4>();

/// Returns true for a document in WfFormat (WfCommons), to which fields of ours may have been added.
[[nodiscard]] bool is_workflow(const Value& document);

/// Returns the tasks of such a document: the run time of each times its cores is its work, and fields of ours
/// say how all of them scale.
[[nodiscard]] Result<std::vector<TaskRecord>> read_workflow_tasks(const Value& document,
                                                                  std::int64_t processors);

}  // namespace holdfast::taskgraph
