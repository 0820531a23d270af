#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// What an arbiter wrote down (`io serve --record`): who was there, moved what, and at which rates. docs/reference/io-record.md
/// has the format. Dates are seconds on the arbiter's clock, volumes bytes.
namespace holdfast::io {

/// From a date on an application has this rate, and is stalled by what it lacks.
struct RecordedRate {
  double date = 0;
  double rate = 0;  ///< bytes/s
  double lacking =
      0;  ///< part of its bandwidth that its open operation does not have; 0 without one
};

struct RecordedOperation {
  double posted = 0;
  double ended = std::numeric_limits<double>::infinity();  ///< infinite: the record ends before it
  std::optional<double> stated = {};                       ///< bytes, where it was said
  double moved = 0;                                        ///< bytes, once it has ended
};

/// An application from its first process to its last.
struct RecordedStay {
  std::uint64_t handle = 0;
  std::string job = {};
  double nodes = 1;
  double bandwidth = 0;  ///< bytes/s that it can move, as it was said last
  double joined = 0;
  double left = std::numeric_limits<double>::infinity();
  double age = 0;                                  ///< seconds since its release, when it joined
  double delay = 0;                                ///< seconds of them that it was stalled for
  std::vector<RecordedRate> rates = {};            ///< in order of date
  std::vector<RecordedOperation> operations = {};  ///< one after the other

  /// Returns since when it is there: its release, as a date of the record.
  [[nodiscard]] double release() const { return joined - age; }
  /// Returns the seconds that it was stalled for until a date of this stay.
  [[nodiscard]] double delay_at(double date) const;
  /// Returns the bytes that its rates let it move between two dates.
  [[nodiscard]] double granted(double from, double to) const;
};

struct Record {
  double bandwidth = 0;  ///< bytes/s that the arbiter handed out
  std::string policy;    ///< who got how much: a strategy, as it is written on a command line
  double min_grant = 0;  ///< seconds: what an application progressed in less counts as nothing
  double begin = 0;      ///< date of its first line, and of its last
  double end = 0;
  std::uint64_t dropped = 0;        ///< lines that are missing, because the disk was too slow
  std::vector<RecordedStay> stays;  ///< in order of joining
};

/// Reads a record. Errors name the line. A last line that is not whole, of an arbiter that was killed, is left out.
[[nodiscard]] Result<Record> read_record(LineReader lines);
[[nodiscard]] Result<Record> load_record(const std::filesystem::path& path);

/// @returns bad_value if lines are missing, so that nothing follows from the others
[[nodiscard]] Status check_whole(const Record& record, const std::string& name);

}  // namespace holdfast::io
