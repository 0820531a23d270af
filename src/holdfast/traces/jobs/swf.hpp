#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// The Standard Workload Format of the Parallel Workloads Archive, version 2: one job per line with 18 numbers separated by
/// blanks, and -1 for unknown values. Lines that begin with ; are the header or comments.
namespace holdfast {

/// Reads a log and hands on each job as it is read. The following is accepted and counted as odd: missing header lines, more
/// than 18 fields (the rest is ignored), fractions in whole fields (truncated, but kept in times), jobs out of order, and
/// values that no job of a standard log should have (run time 0 or unknown, no processors, longer than requested, ...); such
/// jobs are handed on unchanged. A line with fewer than 18 fields, or with a text among them, is an error at FILE:LINE.
[[nodiscard]] Result<JobLogFacts> read_swf(LineReader lines, const JobSink& sink);

/// Returns true if the first line of the text that is not a comment begins with 18 numbers.
[[nodiscard]] bool looks_like_swf(std::string_view head);

/// Writes the header entries, then one line per job. Reading the file gives the same jobs, with times rounded to whole
/// seconds as the standard requires.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_swf(const JobLog& log, const TextSink& sink);

}  // namespace holdfast
