#pragma once

#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/formats.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Whole traces in memory, whatever they hold: what converting and slicing work on.
namespace holdfast {

/// The records of one file.
using TraceRecords = std::variant<FailureLog, LifetimeTable, WorkflowRun, JobLog, CapacitySeries,
                                  AvailabilityRecord, std::vector<SpeedupRuns>, MachineTable>;

/// What may be asked when a trace is read.
struct RecordsQuestion {
  std::optional<std::string> system;  ///< keep one system of a failure log
  SeriesQuestion series;              ///< of a table of capacity
};

/// Reads all of an opened trace.
[[nodiscard]] Result<TraceRecords> read_records(OpenTrace trace,
                                                const RecordsQuestion& question = {});

/// What the reader found odd.
[[nodiscard]] const Oddities& oddities_in(const TraceRecords& records);
[[nodiscard]] Holds kind_of(const TraceRecords& records);

/// True where the format can be written.
[[nodiscard]] bool is_writable(const Format& format);
/// The row of that name which can be written; `csv` is the plain table of these records. An unknown name is an error that
/// lists those that could be meant.
[[nodiscard]] Result<const Format*> writable_format(std::string_view name,
                                                    const TraceRecords& records);
/// The plain CSV file of a kind (of a workflow: WfFormat). A series without dates has none of dates.
[[nodiscard]] const Format& plain_format(const TraceRecords& records);

/// The records as ones of another kind, where that follows from them: failures as availability or lifetimes, availability
/// as failures. What cannot be carried over is added to `lost`.
[[nodiscard]] Result<TraceRecords> as_kind(TraceRecords records, Holds kind, Oddities& lost);

/// Writes the records; errors carry an empty place. @pre format.holds == kind_of(records) and it can be written
/// @returns what the format has no place for
[[nodiscard]] Result<Oddities> write_records(const TraceRecords& records, const Format& format,
                                             const TextSink& sink);

}  // namespace holdfast
