#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/verb.hpp"
#include "holdfast/inputs/engine_workflow.hpp"

namespace holdfast::workflow {

/// Returns how often the jobs of each rule should save, and the engine's file that tells the guards of the rules.
[[nodiscard]] Result<Answer> answer_engine_plan(const EngineOptions& options,
                                                const Request& request);

}  // namespace holdfast::workflow
