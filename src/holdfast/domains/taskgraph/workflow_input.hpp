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

/// The scaling of all tasks of a workflow, because a measured run says how long a task took, but not how it scales.
struct Scaling {
  SpeedupModel model = SpeedupModel::amdahl;  ///< roofline, communication, amdahl or mix
  double sequential_fraction = 0.05;
  double overhead = 0;               ///< seconds
  std::int64_t max_parallelism = 1;  ///< default: that of the machine
};
inline constexpr std::span<const std::string_view> kScalingModels =
    std::span(kTaskModels).first<4>();

/// Returns true for a document in WfFormat (WfCommons), to which fields of Holdfast may have been added.
[[nodiscard]] bool is_workflow(const Value& document);

/// Returns the tasks of such a document. The work of a task is its run time times its cores, and fields of Holdfast say how all
/// tasks scale.
[[nodiscard]] Result<std::vector<TaskRecord>> read_workflow_tasks(const Value& document,
                                                                  std::int64_t processors);

}  // namespace holdfast::taskgraph
