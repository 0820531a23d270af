#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/kernel/availability.hpp"
#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast {

/// When each worker was available, in a form that does not depend on the file format. Times are in seconds on the file's clock.
struct AvailabilityRecord {
  std::string format;                  ///< the format's name in the table of formats
  double from = 0;                     ///< the first instant that the file covers
  double to = 0;                       ///< the last instant that the file covers
  std::vector<WorkerHistory> workers;  ///< in the order of the file
  bool is_two_state = true;            ///< the file distinguishes only available and unavailable
  Oddities oddities;                   ///< what is unusual about the file
};

/// The state of a worker that was not available. A file with two states says when a worker was unavailable, but not why.
struct AvailabilityReading {
  WorkerState unavailable = WorkerState::down;
};

/// The names of records of availability.
template <>
struct KindOf<AvailabilityRecord> {
  static constexpr std::string_view kName = "availability";
  static constexpr std::string_view kRecords = "availability";
  static constexpr std::string_view kFile = "availability of workers";
  static constexpr std::string_view kPlain = "state-events";
};

/// A format of availability records. Readers of files with two states are given the meaning of "unavailable".
template <>
struct FormatOf<AvailabilityRecord> {
  FormatFacts facts;
  std::function<Result<AvailabilityRecord>(TraceText text, AvailabilityReading reading)> read = {};
  Result<Oddities> (*write)(const AvailabilityRecord& record, const TextSink& sink) = nullptr;

  [[nodiscard]] Result<AvailabilityRecord> read_all(TraceText text, const RecordsQuestion&) const {
    return read(std::move(text), {});
  }
};

/// Writes the hosts as lines "host count start end start end ..." of the intervals in which they were up (`*.avt`).
/// @returns the information that the format cannot hold: why a host was not up, and when the record began and ended if no host
///      was up at that time
[[nodiscard]] Result<Oddities> write_avt(const AvailabilityRecord& record, const TextSink& sink);

/// Reads the event table of the Failure Trace Archive (`event_trace.tab`): rows of event_type 1 (available) or 0 with start and
/// stop in seconds. Workers are identified by node_id and component_id, because names repeat. Errors name FILE:LINE.
[[nodiscard]] Result<AvailabilityRecord> read_fta(TraceText text, AvailabilityReading reading);

/// Reads a CSV file with columns worker, time (seconds) and state: up, reclaimed, down, or unwatched where the state is
/// unknown. A state lasts until the worker's next row or the last time of the file, unless `# until: TIME` states another
/// end. Errors name FILE:LINE: COLUMN.
[[nodiscard]] Result<AvailabilityRecord> read_state_events(TraceText text, AvailabilityReading);
/// Writes the workers as such a file. Reading it gives the same intervals.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_state_events(const AvailabilityRecord& record,
                                                  const TextSink& sink);

/// Returns the states of the workers that were named and drawn, cut at both ends of the window.
[[nodiscard]] Result<AvailabilityRecord> sliced(AvailabilityRecord record,
                                                const SliceQuestion& question);

}  // namespace holdfast
