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

/// Who was available when, whatever file said it. Times in seconds on the file's clock.
struct AvailabilityRecord {
  std::string format;
  double from = 0;  ///< first and last instant that the file knows of
  double to = 0;
  std::vector<WorkerHistory> workers;  ///< in the order of the file
  bool is_two_state = true;            ///< the file knows available and unavailable only
  Oddities oddities;
};

/// A file of two states says when a worker was not available, not why: this is what it then was.
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

/// A format of records of availability.
template <>
struct FormatOf<AvailabilityRecord> {
  FormatFacts facts;
  Result<AvailabilityRecord> (*read)(LineReader lines, AvailabilityReading reading) = nullptr;
  Result<Oddities> (*write)(const AvailabilityRecord& record, const TextSink& sink) = nullptr;

  [[nodiscard]] Result<AvailabilityRecord> read_all(LineReader lines,
                                                    const RecordsQuestion&) const {
    return read(std::move(lines), {});
  }
};

/// Intervals in which hosts were up: `host count start end start end ...`, one line per host,
/// seconds (`*.avt`). A host without an interval was never up.
[[nodiscard]] Result<AvailabilityRecord> read_avt(LineReader lines, AvailabilityReading reading);
[[nodiscard]] bool looks_like_avt(std::string_view head);
/// The hosts as such a file. @returns what the format has no place for: why a host was not up, and
/// when the record began and ended where no host was up then
[[nodiscard]] Result<Oddities> write_avt(const AvailabilityRecord& record, const TextSink& sink);

/// The event table of the Failure Trace Archive (`event_trace.tab`): rows of event_type 1
/// (available) or 0 with start and stop, keyed by node_id and component_id: names repeat.
[[nodiscard]] Result<AvailabilityRecord> read_fta(LineReader lines, AvailabilityReading reading);
[[nodiscard]] bool looks_like_fta(std::string_view head);

/// One line per worker, one letter per slot: u, r or d, with or without a name before it; `# slot:
/// 60s` says how long a slot is (default 1 s).
[[nodiscard]] Result<AvailabilityRecord> read_state_letters(LineReader lines, AvailabilityReading);
[[nodiscard]] bool looks_like_state_letters(std::string_view head);

/// A CSV file with columns worker, time and state (up, reclaimed, down, or unwatched where nobody knows): from that time
/// on it is in that state, until its next row or the end of the file's last time (`# until: TIME` says another).
[[nodiscard]] Result<AvailabilityRecord> read_state_events(LineReader lines, AvailabilityReading);
[[nodiscard]] bool looks_like_state_events(std::string_view head);
/// The workers as such a file; reading it again gives the same stretches.
[[nodiscard]] Result<Oddities> write_state_events(const AvailabilityRecord& record,
                                                  const TextSink& sink);

/// Returns the states of the workers named and drawn, cut at both ends of the window.
[[nodiscard]] Result<AvailabilityRecord> sliced(AvailabilityRecord record,
                                                const SliceQuestion& question);

}  // namespace holdfast
