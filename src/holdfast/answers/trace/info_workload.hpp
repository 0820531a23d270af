#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/traces/formats.hpp"

#include <string>

namespace holdfast {

/// Returns what `trace info` says of a batch log: jobs, period, how their quantities are spread, what is odd.
[[nodiscard]] Result<Answer> describe_jobs(const FormatOf<JobLog>& format, LineReader lines,
                                           Answer answer);

/// Returns what it says of a series of capacity. A series that does not state its unit of time is described in its own units.
[[nodiscard]] Result<Answer> describe_capacity(const FormatOf<CapacitySeries>& format,
                                               LineReader lines, SeriesQuestion question,
                                               Answer answer);

}  // namespace holdfast
