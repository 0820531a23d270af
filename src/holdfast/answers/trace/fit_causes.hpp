#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/models/failures/fit_causes.hpp"
#include "holdfast/traces/failures/lifetimes.hpp"

namespace holdfast {

/// Tests why the nodes of a log fail; no test is possible if the log has several systems, or names no nodes.
[[nodiscard]] CauseTests causes_of(const FailureLog& log, const LoggedLifetimes& lives);

/// Adds what the tests found, with what to do about it: the member "causes", and a sentence for each cause at 1 %.
void add_causes(const CauseTests& tests, Answer& answer);

}  // namespace holdfast
