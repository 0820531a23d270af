#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/verb.hpp"
#include "holdfast/inputs/engine_workflow.hpp"

namespace holdfast::taskgraph {

/// Returns one number of threads for each rule, compared with what the engine would do, and the engine's file that sets them.
[[nodiscard]] Result<Answer> answer_engine_plan(const EngineOptions& options,
                                                const Request& request);

}  // namespace holdfast::taskgraph
