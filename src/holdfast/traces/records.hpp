#pragma once

#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <string_view>

/// Whole traces in memory, of any kind, for converting and slicing.
namespace holdfast {

/// Reads all of an opened trace. A kind of which no format is written is an error at the file's name.
[[nodiscard]] Result<TraceRecords> read_records(OpenTrace trace,
                                                const RecordsQuestion& question = {});

/// Returns what the reader found odd.
[[nodiscard]] const Oddities& oddities_in(const TraceRecords& records);

/// Returns true if the format can be written.
[[nodiscard]] bool is_writable(const Format& format);
/// Returns the format of that name if it can be written; `csv` is the plain table of these records. The error about an
/// unknown name lists those that could be meant.
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

/// Returns a part of a trace as a trace of the same kind.
///
/// The window keeps jobs that are submitted in it and failures that happen in it, and cuts availability and capacity at both
/// ends. Machines are the nodes of a failure log, workers, or rows of a table of machines. The sample is drawn from these,
/// else from the jobs or lifetimes, and keeps the order of the file. The sliced() of each record says more.
///
/// A question for what a kind does not have (a workflow has no parts, a job no machine, a lifetime no date) is an error, and
/// so are a window without records and a machine that does not exist. Errors are placed at "from", "to", "machines" or
/// "sample".
[[nodiscard]] Result<TraceRecords> sliced(TraceRecords records, const SliceQuestion& question);

}  // namespace holdfast
