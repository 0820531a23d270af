#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/resilience/recorded_outages.hpp"
#include "holdfast/traces/failures/lifetimes.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What of a failure log is replayed, and notes on what is not.
namespace holdfast {

/// Returns the failures of the log on that many nodes, from the start of the observation on.
[[nodiscard]] std::vector<FailureEvent> replayed(const FailureLog& log,
                                                 const LoggedLifetimes& lives, std::int64_t nodes,
                                                 const std::string& file,
                                                 std::vector<std::string>& notes);

/// Returns the outages of all nodes, from the start of the window on.
[[nodiscard]] Result<RecordedOutages> recorded_of(const FailureLog& log,
                                                  const LoggedLifetimes& lives,
                                                  double relapse_within, const std::string& file,
                                                  std::vector<std::string>& notes);

}  // namespace holdfast
