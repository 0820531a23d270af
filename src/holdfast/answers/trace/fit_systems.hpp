#pragma once

#include "holdfast/answers/trace/fit_laws.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/failures/lifetimes.hpp"

namespace holdfast {

/// Adds a table of the systems of a log, each with its own law, before the other tables. A system with too few failures has only its
/// rate.
void add_systems(FailureLog log, const LifetimeQuery& query, const FitQuestion& question,
                 Answer& answer);

}  // namespace holdfast
