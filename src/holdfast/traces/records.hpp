#pragma once

#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <string_view>

/// Whole traces of any kind in memory, for converting and slicing.
namespace holdfast {

/// Reads all of an opened trace. A kind that cannot be written in any format is an error at the name of the file.
[[nodiscard]] Result<TraceRecords> read_records(OpenTrace trace,
                                                const RecordsQuestion& question = {});

/// Returns the oddities that the reader found.
[[nodiscard]] const Oddities& oddities_in(const TraceRecords& records);

/// Returns true if the format can be written.
[[nodiscard]] bool is_writable(const Format& format);
/// Returns the format with that name if it can be written; `csv` means the plain table of these records. The error about an
/// unknown name lists the possible ones.
[[nodiscard]] Result<const Format*> writable_format(std::string_view name,
                                                    const TraceRecords& records);
/// Returns the plain CSV format of a kind (for a workflow, WfFormat). It is a format without dates for a series without dates.
[[nodiscard]] const Format& plain_format(const TraceRecords& records);

/// Returns the records converted to the kind of the format, if that is possible: failures to availability or lifetimes,
/// availability to failures. Anything that gets lost is added to `lost`. For other kinds there is an error without a place.
[[nodiscard]] Result<TraceRecords> as_kind_of(const Format& format, TraceRecords records,
                                              Oddities& lost);

/// Writes the records. Errors have an empty place.
/// @pre format.of.index() == records.index(), and the format can be written
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_records(const TraceRecords& records, const Format& format,
                                             const TextSink& sink);

/// Returns a part of a trace as a trace of the same kind.
///
/// The window keeps jobs that are submitted in it and failures that happen in it, and cuts availability and capacity at both
/// ends. Machines are the nodes of a failure log, workers, or rows of a machine table. The sample is drawn from the machines
/// or, if there are none, from the jobs or lifetimes, and keeps the order of the file. See sliced() of each record for details.
///
/// A question about something that a kind does not have (a workflow has no parts, a job no machine, a lifetime no date) is an
/// error, and so are a window without records and a machine that does not exist. Errors are placed at "from", "to", "machines"
/// or "sample".
[[nodiscard]] Result<TraceRecords> sliced(TraceRecords records, const SliceQuestion& question);

}  // namespace holdfast
