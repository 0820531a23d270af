#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/traces/formats.hpp"

#include <string>

namespace holdfast {

/// Returns the answer of `trace info` for a batch log: jobs, period, distributions of their quantities, and oddities.
[[nodiscard]] Result<Answer> describe_jobs(const FormatOf<JobLog>& format, TraceText lines,
                                           Answer answer);

/// Returns the answer for a capacity series. A series that does not state its unit of time is described in its own units.
[[nodiscard]] Result<Answer> describe_capacity(const FormatOf<CapacitySeries>& format,
                                               TraceText lines, SeriesQuestion question,
                                               Answer answer);

}  // namespace holdfast
