#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Batch logs in a form that does not depend on the file format. The fields are those of the Standard Workload Format, with -1
/// for an unknown value.
namespace holdfast {

/// One job of a batch log. Times are in seconds.
struct LoggedJob {
  std::int64_t number = -1;      ///< the job's number in the log
  double submit = -1;            ///< when it was submitted, on the log's own clock
  double wait = -1;              ///< from submission to start
  double run = -1;               ///< from start to end
  std::int64_t processors = -1;  ///< number of processors that it ran on
  double cpu_time = -1;          ///< processor time used, mean over the processors
  double memory = -1;  ///< per processor, in the unit of the log (kilobytes by the standard)
  std::int64_t requested_processors = -1;
  double requested_time = -1;    ///< run time limit
  double requested_memory = -1;  ///< per processor, in the unit of `memory`
  std::int64_t status = -1;      ///< 0 failed, 1 completed, 2 to 4 parts of a job, 5 cancelled
  std::int64_t user = -1;
  std::int64_t group = -1;
  std::int64_t executable = -1;
  std::int64_t queue = -1;
  std::int64_t partition = -1;
  std::int64_t preceding_job = -1;
  double think_time = -1;  ///< from the end of the preceding job to the submission
  /// Number of GPUs, or a fraction if it shared one; the standard has no such field.
  double gpus = -1;
  std::int64_t nodes = -1;      ///< number of nodes; no format of jobs is written with it
  bool is_end_of_node = false;  ///< it ended because a node failed

  /// Returns the number of processors that it had or, if the log does not say, asked for; -1 if neither is known.
  [[nodiscard]] std::int64_t width() const {
    return processors > 0 ? processors : requested_processors > 0 ? requested_processors : -1;
  }
  /// Returns true if it had a different number of processors than it asked for.
  [[nodiscard]] bool has_other_width() const {
    return requested_processors > 0 && requested_processors != width();
  }

  /// Makes numbers of processors unknown (-1) that are 0, as some logs have for jobs that never started. Returns true if one was 0.
  bool forget_no_processors() {
    const bool has_none = processors == 0 || requested_processors == 0;
    if (processors == 0) processors = -1;
    if (requested_processors == 0) requested_processors = -1;
    return has_none;
  }

  friend bool operator==(const LoggedJob&, const LoggedJob&) = default;
};

/// The contents of a batch log apart from its jobs.
struct JobLogFacts {
  std::vector<std::pair<std::string, std::string>> header;  ///< "MaxProcs" -> "100", in order
  std::int64_t jobs = 0;                                    ///< number of jobs
  bool has_own_clock = false;  ///< true: submit times count from an instant that the log chose
  Oddities oddities;           ///< anything unusual about the log, and how it was treated

  /// Returns the first header entry of that name as a number; nothing if there is none.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const;
};

/// A function that takes the jobs of a log one at a time, in the order of the file.
using JobSink = std::function<void(const LoggedJob&)>;

/// A whole log in memory.
struct JobLog {
  std::vector<LoggedJob> jobs;
  JobLogFacts facts;
};

/// The names of batch logs.
template <>
struct KindOf<JobLog> {
  static constexpr std::string_view kName = "jobs";
  static constexpr std::string_view kRecords = "jobs";
  static constexpr std::string_view kFile = "a batch log";
  static constexpr std::string_view kPlain = "jobs-csv";
};

/// A format of batch logs. A log may be larger than memory, so its jobs are handed on one at a time.
template <>
struct FormatOf<JobLog> {
  FormatFacts facts;
  /// Hands the jobs on in the order of the file, and returns the rest of the log's contents.
  std::function<Result<JobLogFacts>(TraceText text, const JobSink& sink)> read = {};
  Result<Oddities> (*write)(const JobLog& log, const TextSink& sink) = nullptr;
  /// Reads the share in service, for formats whose rows say what was out of service.
  Result<CapacitySeries> (*read_service)(LineReader lines) = nullptr;

  [[nodiscard]] Result<JobLog> read_all(TraceText text, const RecordsQuestion&) const;
};

/// Returns the jobs submitted in the window and, of these, the ones drawn, in the order of the file. Jobs have no machines.
[[nodiscard]] Result<JobLog> sliced(JobLog log, const SliceQuestion& question);

}  // namespace holdfast
