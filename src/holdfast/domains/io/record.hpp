#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// A record that an arbiter wrote (`io serve --record`): which applications were connected, what they moved, and their rates.
/// docs/reference/io-record.md defines the format. Dates are seconds on the arbiter's clock, volumes are bytes.
namespace holdfast::io {

/// The rate of an application from a date on, and the bandwidth that it lacks.
struct RecordedRate {
  double date = 0;
  double rate = 0;  ///< bytes/s
  /// Fraction of the application's bandwidth that its open operation does not have; 0 if no operation is open.
  double lacking = 0;
};

struct RecordedOperation {
  double posted = 0;
  double ended = std::numeric_limits<double>::infinity();  ///< infinite: the record ends first
  std::optional<double> stated = {};                       ///< stated volume in bytes, if any
  double moved = 0;                                        ///< bytes moved, once it has ended
};

/// The presence of an application, from its first process to its last.
struct RecordedStay {
  std::uint64_t handle = 0;
  std::string job = {};
  double nodes = 1;
  double bandwidth = 0;        ///< bytes/s that it can move, by the latest statement
  double bandwidth_since = 0;  ///< date from which on this bandwidth counted
  double joined = 0;
  double left = std::numeric_limits<double>::infinity();
  double age = 0;                                  ///< seconds since its release when it joined
  double delay = 0;                                ///< seconds of these for which it was stalled
  std::vector<RecordedRate> rates = {};            ///< in order of date
  std::vector<RecordedOperation> operations = {};  ///< in order of time

  /// Returns the date of its release on the record's clock.
  [[nodiscard]] double release() const { return joined - age; }
  /// Returns the seconds for which it was stalled until a date of this stay.
  [[nodiscard]] double delay_at(double date) const;
  /// Returns the bytes that its rates allowed between two dates.
  [[nodiscard]] double granted(double from, double to) const;
};

struct Record {
  double bandwidth = 0;  ///< bytes/s that the arbiter handed out
  std::string policy;    ///< the strategy, as it is written on a command line
  // Options of the server, in seconds; 0 where the record does not have them.
  double min_grant = 0;  ///< a rate is kept for this time; less progress than this counts as none
  double max_pause = 0;  ///< an application that has waited for this time gets its floor
  /// For this time the yield of a new application counts as at least that of the others.
  double grace = 0;
  double begin = 0;  ///< dates of the first and the last line
  double end = 0;
  /// Number of lines that are missing because the disk was too slow.
  std::uint64_t dropped = 0;
  std::vector<RecordedStay> stays;  ///< in order of joining
};

/// Reads a record. Errors name the line. An incomplete last line, left by an arbiter that was killed, is ignored.
[[nodiscard]] Result<Record> read_record(LineReader lines);
[[nodiscard]] Result<Record> load_record(const std::filesystem::path& path);

/// Checks that a record is complete. @returns bad_value if lines are missing, because the others then prove nothing
[[nodiscard]] Status check_whole(const Record& record, const std::string& name);

}  // namespace holdfast::io
