#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/taskgraph/generator.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/workflow_input.hpp"

#include <span>

namespace holdfast::taskgraph {

/// Returns what may be given as options: the fields of a random graph, some of which a listed one has too, and how the tasks
/// of a workflow scale.
[[nodiscard]] std::span<const Parameter> fields();

[[nodiscard]] const Fields<GeneratorParameters>& generator_fields();
/// Returns those of a listed instance that are plain numbers.
[[nodiscard]] const Fields<Instance>& instance_fields();
[[nodiscard]] const Fields<Scaling>& scaling_fields();

}  // namespace holdfast::taskgraph
