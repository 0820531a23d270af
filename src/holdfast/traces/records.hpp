#pragma once

#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <string_view>

/// Whole traces in memory, whatever they hold: what converting and slicing work on.
namespace holdfast {

/// Reads all of an opened trace.
[[nodiscard]] Result<TraceRecords> read_records(OpenTrace trace,
                                                const RecordsQuestion& question = {});

/// Returns what the reader found odd.
[[nodiscard]] const Oddities& oddities_in(const TraceRecords& records);

/// Returns true where the format can be written.
[[nodiscard]] bool is_writable(const Format& format);
/// Returns the row of that name which can be written; `csv` is the plain table of these records. An unknown name is an error that
/// lists those that could be meant.
[[nodiscard]] Result<const Format*> writable_format(std::string_view name,
                                                    const TraceRecords& records);
/// Returns the format of the plain CSV file of a kind (of a workflow: WfFormat). A series without dates has none of dates.
[[nodiscard]] const Format& plain_format(const TraceRecords& records);

/// Returns the records as ones of the format's kind, where they follow from them: failures as availability or lifetimes,
/// availability as failures. What cannot be carried over is added to `lost`. The error of other kinds has no place.
[[nodiscard]] Result<TraceRecords> as_kind_of(const Format& format, TraceRecords records,
                                              Oddities& lost);

/// Writes the records; errors carry an empty place.
/// @pre format.of.index() == records.index(), and it can be written
/// @returns what the format has no place for
[[nodiscard]] Result<Oddities> write_records(const TraceRecords& records, const Format& format,
                                             const TextSink& sink);

/// A part of a trace, as a trace of the same kind.
///
/// Window: jobs submitted in it; failures in it, the log being observed from its start to its end (an outage that goes on
/// at its end has no end); availability and capacity cut at both ends.
/// Machines: nodes of a failure log, workers, rows of a table of machines.
/// Sample: of those, else of the jobs or lifetimes; the order of the file is kept. Nodes that a failure log only counts
/// are drawn like those that it names.
///
/// What a kind does not have (a workflow has no parts, a job no machine, a lifetime no date) is an error, as are a window
/// without records and a machine that is not there. Errors are placed at "from", "to", "machines" or "sample".
[[nodiscard]] Result<TraceRecords> sliced(TraceRecords records, const SliceQuestion& question);

}  // namespace holdfast
