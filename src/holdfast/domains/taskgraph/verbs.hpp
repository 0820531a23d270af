#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"

#include <vector>

namespace holdfast::taskgraph {

/// Returns the verbs plan, optimum, graph and generate.
[[nodiscard]] std::vector<Verb> verbs();

// Each verb has its own file in verbs/.
[[nodiscard]] Verb plan_verb();
[[nodiscard]] Verb optimum_verb();
[[nodiscard]] Verb graph_verb();
[[nodiscard]] Verb generate_verb();

/// Returns the instance for a verb: the one in the document, or one drawn from its parameters.
[[nodiscard]] Result<Instance> instance_of(const Request& request);

}  // namespace holdfast::taskgraph
