#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

namespace holdfast {

/// Reservations of Mira (16 quoted columns without a header): each is a job that is submitted when it starts.
[[nodiscard]] Result<JobLogFacts> read_mira_reservations(LineReader lines, const JobSink& sink);
[[nodiscard]] bool looks_like_mira_reservations(std::string_view head);
/// The share of its 49 152 nodes in service: reservations for hardware (`R.hw...`) take their nodes away for the length that
/// they state.
[[nodiscard]] Result<CapacitySeries> read_mira_service(LineReader lines);

}  // namespace holdfast
