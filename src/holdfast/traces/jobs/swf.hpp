#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// The Standard Workload Format of the Parallel Workloads Archive, version 2: one job per line, 18 numbers separated by
/// blanks, -1 for what is not known; lines that begin with ; are the header or comments.
namespace holdfast {

/// Reads a log, streaming. Tolerated, and counted as oddities: missing header lines, more than 18 fields (what follows
/// is not read), fractions in whole fields (cut off, of times kept), jobs out of order, and what no job of a standard log should be
/// (run time 0 or unknown, no processors, longer than requested, ...): such jobs are handed on as they stand.
/// A line with fewer than 18 fields, or with a text among them, is an error.
[[nodiscard]] Result<JobLogFacts> read_swf(LineReader lines, const JobSink& sink);

/// True for text whose first line that is not a comment begins with 18 numbers.
[[nodiscard]] bool looks_like_swf(std::string_view head);

/// The jobs as such a file: the header entries, then one line per job. Reading it again gives the same, but for times,
/// which the standard wants whole: they are rounded to seconds. @returns what the format has no place for
[[nodiscard]] Result<Oddities> write_swf(const JobLog& log, const TextSink& sink);

}  // namespace holdfast
