#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/taskgraph/generator.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/workflow_input.hpp"

#include <span>

namespace holdfast::taskgraph {

/// Returns the fields that may be given as options: those of a random graph, some of which a listed one has too, and the
/// scaling of the tasks of a workflow.
[[nodiscard]] std::span<const Parameter> fields();

[[nodiscard]] const Fields<GeneratorParameters>& generator_fields();
/// Returns the fields of a listed instance that are plain numbers.
[[nodiscard]] const Fields<Instance>& instance_fields();
[[nodiscard]] const Fields<Scaling>& scaling_fields();

}  // namespace holdfast::taskgraph
