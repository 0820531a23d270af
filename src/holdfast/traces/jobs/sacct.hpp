#pragma once

#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

namespace holdfast {

/// Reads jobs as sacct prints them: -P, -p, columns under a rule, CSV or --json, with any columns that have a header. Steps are
/// left out. Errors name FILE:LINE: COLUMN.
[[nodiscard]] Result<JobLogFacts> read_sacct(TraceText text, const JobSink& sink);

/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_sacct(std::string_view head);

}  // namespace holdfast
