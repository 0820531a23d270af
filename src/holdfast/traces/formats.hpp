#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/availability/availability.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/io/darshan.hpp"
#include "holdfast/traces/jobs/job_log.hpp"
#include "holdfast/traces/lifetimes/lifetime_table.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The table of formats: what each file kind is called, how it is told from the others by its first
/// bytes, what it holds and who reads it. A new format is one file and one row.
namespace holdfast {

/// What the records of a file are. Each kind has its own reader type; a row fills the one of its
/// kind.
enum class Holds : std::uint8_t {
  failures,      ///< outages of nodes: FailureLog
  lifetimes,     ///< times to failure: Lifetime
  workflow,      ///< tasks, who waits for whom, how long each took: WorkflowRun
  jobs,          ///< a batch log: LoggedJob
  capacity,      ///< how much there was over time: CapacitySeries
  availability,  ///< states of workers over time: AvailabilityRecord
  speedup,       ///< run times on several numbers of processors: SpeedupRuns
  machines,      ///< what platforms are made of: MachineTable
  io,            ///< what programs read and wrote: IoLog
};

struct Format {
  std::string_view name;     ///< "lanl": what --format takes
  std::string_view summary;  ///< one line
  Holds holds = Holds::failures;
  /// True where a file that begins with this text (up to 64 KiB, decompressed) is of this format.
  /// The first row that says so wins.
  bool (*recognise)(std::string_view head) = nullptr;
  Result<FailureLog> (*read_failures)(LineReader lines,
                                      std::optional<std::string> system) = nullptr;
  Result<LifetimeTable> (*read_lifetimes)(LineReader lines) = nullptr;
  Result<WorkflowRun> (*read_workflow)(LineReader lines) = nullptr;
  Result<AvailabilityRecord> (*read_availability)(LineReader lines,
                                                  AvailabilityReading reading) = nullptr;
  Result<JobLogFacts> (*read_jobs)(LineReader lines, const JobSink& sink) = nullptr;
  Result<CapacitySeries> (*read_capacity)(LineReader lines,
                                          const SeriesQuestion& question) = nullptr;
  bool has_columns = false;  ///< of series: the question names one of them, or several
  /// The share in service, where the records of its kind do not say how much was out of it.
  Result<CapacitySeries> (*read_service)(LineReader lines) = nullptr;
  Result<std::vector<SpeedupRuns>> (*read_speedup)(LineReader lines) = nullptr;
  Result<MachineTable> (*read_machines)(LineReader lines) = nullptr;
  Result<std::vector<IoLog>> (*read_io)(LineReader lines) = nullptr;

  // Writers hand the file on in parts and return what the format has no place for. Null: not written.
  Result<Oddities> (*write_failures)(const FailureLog& log, const TextSink& sink) = nullptr;
  Result<Oddities> (*write_lifetimes)(const LifetimeTable& table, const TextSink& sink) = nullptr;
  Result<Oddities> (*write_workflow)(const WorkflowRun& run, const TextSink& sink) = nullptr;
  Result<Oddities> (*write_availability)(const AvailabilityRecord& record,
                                         const TextSink& sink) = nullptr;
  Result<Oddities> (*write_jobs)(const JobLog& log, const TextSink& sink) = nullptr;
  Result<Oddities> (*write_capacity)(const CapacitySeries& series, const TextSink& sink) = nullptr;
  Result<Oddities> (*write_speedup)(std::span<const SpeedupRuns> runs,
                                    const TextSink& sink) = nullptr;
  Result<Oddities> (*write_machines)(const MachineTable& table, const TextSink& sink) = nullptr;
};

[[nodiscard]] std::span<const Format> formats();

/// Refuses a question for columns of a format that has none; "*", all there are, is one for any.
[[nodiscard]] Status check_columns(const Format& format, const SeriesQuestion& question);

/// A file whose format is known, nothing of it consumed.
struct OpenTrace {
  const Format* format = nullptr;
  LineReader lines;
};

/// Opens a trace (compressed or not, "-" is standard input) and recognises it by its content.
/// @param format_name  a name of the table overrides recognition; empty: recognise
[[nodiscard]] Result<OpenTrace> open_trace(const std::filesystem::path& path,
                                           std::string_view format_name = {});

/// The same over bytes from elsewhere. @param name  what errors call them
[[nodiscard]] Result<OpenTrace> open_trace(std::unique_ptr<ByteSource> bytes, std::string name,
                                           std::string_view format_name = {});

/// Reads a failure log of any format that holds one; errors name the file.
/// @param system  keep one system; nothing: all
[[nodiscard]] Result<FailureLog> read_failure_log(const std::filesystem::path& path,
                                                  std::optional<std::string> system = {},
                                                  std::string_view format_name = {});

}  // namespace holdfast
