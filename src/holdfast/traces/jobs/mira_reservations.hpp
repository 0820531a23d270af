#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

namespace holdfast {

/// Reads the reservations of Mira (16 quoted columns without a header) as jobs that are submitted when they start. Errors
/// name FILE:LINE.
[[nodiscard]] Result<JobLogFacts> read_mira_reservations(LineReader lines, const JobSink& sink);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_mira_reservations(std::string_view head);
/// Reads the share of Mira's 49 152 nodes that was in service, from 0 to 1: reservations for hardware (`R.hw...`) take their
/// nodes out of service for the length that they state.
[[nodiscard]] Result<CapacitySeries> read_mira_service(LineReader lines);

}  // namespace holdfast
