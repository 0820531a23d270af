#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/traces/speedup_runs.hpp"

#include <span>

namespace holdfast::cli {

/// What `trace info` says of measured run times: the series, how far they scale, what is odd.
[[nodiscard]] Answer describe_speedup(std::span<const SpeedupRuns> runs, Answer answer);

}  // namespace holdfast::cli
