#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"

#include <vector>

namespace holdfast::taskgraph {

/// plan, optimum, graph, generate.
[[nodiscard]] std::vector<Verb> verbs();

// One per file of verbs/.
[[nodiscard]] Verb plan_verb();
[[nodiscard]] Verb optimum_verb();
[[nodiscard]] Verb graph_verb();
[[nodiscard]] Verb generate_verb();

/// Returns the instance that a verb is asked about: the document's, or one drawn from its parameters.
[[nodiscard]] Result<Instance> instance_of(const Request& request);

}  // namespace holdfast::taskgraph
