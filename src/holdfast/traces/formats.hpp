#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/availability/availability.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/io/darshan.hpp"
#include "holdfast/traces/jobs/job_log.hpp"
#include "holdfast/traces/lifetimes/lifetime_table.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"
#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/table_reading.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

/// The table of formats (formats.cpp), which collects the formats of all kinds, and the functions that open a file and read it
/// with this table.
namespace holdfast {

/// The types that hold the records of any kind and the format of any kind, made from the list of kinds.
template <class... Records>
struct KindList {
  using AnyRecords = std::variant<Records...>;
  using AnyFormat = std::variant<FormatOf<Records>...>;
};

/// All kinds of records. A new kind is a folder with a record and its KindOf, and a line here.
using Kinds = KindList<FailureLog,          // outages of nodes
                       LifetimeTable,       // times to failure
                       WorkflowRun,         // tasks, their dependencies and their run times
                       JobLog,              // a batch log
                       CapacitySeries,      // an available quantity over time
                       AvailabilityRecord,  // states of workers over time
                       SpeedupTable,        // run times on several numbers of processors
                       MachineTable,        // machines of platforms
                       IoLogs>;             // reads and writes of programs

/// The records of one file.
using TraceRecords = Kinds::AnyRecords;

/// A row of the table: a format of any kind.
struct Format : FormatFacts {
  Kinds::AnyFormat of;  ///< the functions that read and write it, by kind

  template <class Record>
  Format(const FormatOf<Record>& format) : FormatFacts{format.facts}, of{format} {}

  /// Returns the functions that read and write the format if its files hold a `Record`, otherwise null.
  template <class Record>
  [[nodiscard]] const FormatOf<Record>* as() const {
    return std::get_if<FormatOf<Record>>(&of);
  }
  /// Returns the name of the kind: "failures".
  [[nodiscard]] std::string_view kind() const {
    return std::visit([]<class Record>(const FormatOf<Record>&) { return KindOf<Record>::kName; },
                      of);
  }
};

/// Returns all formats, in the order in which they are tried on a file.
[[nodiscard]] std::span<const Format> formats();

/// Refuses a question for columns of a format that has none; "*" (all columns) is always allowed.
[[nodiscard]] Status check_columns(const Format& format, const SeriesQuestion& question);

/// An open file of known format, from which nothing has been read.
struct OpenTrace {
  const Format* format = nullptr;
  TraceText lines;

  /// Returns how a table is read that was understood by the names of its columns; null for any other file.
  [[nodiscard]] const TableReading* reading() const { return lines.reading.get(); }
};

/// Returns true for formats that a caller can use.
using FormatFilter = std::function<bool(const Format&)>;

/// Opens a trace (compressed or not; "-" is standard input) and recognises it by its content, or as a table by the names of
/// its columns. Errors name the file, or are placed at "format" or at a field of TableQuestion.
/// @param as       the kind or the format, and what a person says about a table
/// @param accepts  formats that are preferred where several would do; empty: all
[[nodiscard]] Result<OpenTrace> open_trace(const std::filesystem::path& path, const ReadAs& as = {},
                                           const FormatFilter& accepts = {});

/// Opens bytes from elsewhere in the same way. @param name  the name of the bytes in error messages
[[nodiscard]] Result<OpenTrace> open_trace(std::unique_ptr<ByteSource> bytes, std::string name,
                                           const ReadAs& as = {}, const FormatFilter& accepts = {});

/// Returns a filter for formats of that kind of records.
template <class... Records>
[[nodiscard]] FormatFilter formats_of() {
  return [](const Format& format) { return ((format.as<Records>() != nullptr) || ...); };
}

/// Reads a failure log of any format that holds one. Here and below, errors name the file.
/// @param system  keep one system; nothing: all
[[nodiscard]] Result<FailureLog> read_failure_log(const std::filesystem::path& path,
                                                  std::optional<std::string> system = {},
                                                  const ReadAs& as = {});

/// Reads a record of availability of any format that holds one.
[[nodiscard]] Result<AvailabilityRecord> read_availability(const std::filesystem::path& path,
                                                           AvailabilityReading reading = {},
                                                           const ReadAs& as = {});

/// Reads a batch log of any format that holds one.
[[nodiscard]] Result<JobLog> read_job_log(const std::filesystem::path& path, const ReadAs& as = {});

/// Reads the I/O logs of a file of any format that holds them.
[[nodiscard]] Result<IoLogs> read_io_logs(const std::filesystem::path& path, const ReadAs& as = {});

/// Reads run times of programs of any format that holds them, or a workflow whose tasks say their cores and run times.
[[nodiscard]] Result<SpeedupTable> read_run_times(const std::filesystem::path& path,
                                                  const ReadAs& as = {});

/// Reads a workflow of any format that holds one.
[[nodiscard]] Result<WorkflowRun> read_workflow_run(const std::filesystem::path& path,
                                                    const ReadAs& as = {});

/// Reads a capacity series of any format that holds one, or from which the share in service can be computed (outages,
/// availability).
[[nodiscard]] Result<CapacitySeries> read_capacity_series(const std::filesystem::path& path,
                                                          const SeriesQuestion& question,
                                                          const ReadAs& as = {});

}  // namespace holdfast
