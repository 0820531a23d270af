#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What programs read and wrote, and when: Darshan's extended traces, and totals per run.
namespace holdfast {

struct IoOperation {
  std::int64_t rank = 0;
  bool is_write = false;
  double bytes = 0;
  double start = 0;  ///< seconds since the run began
  double end = 0;    ///< at or after the start
};

/// The I/O of one run of a program.
struct IoLog {
  std::string name;                     ///< of the run, where the file has several
  std::vector<IoOperation> operations;  ///< in order of start
  std::int64_t processes = 0;           ///< 0: the file does not say
  double duration = 0;                  ///< seconds; at least until the last operation ends
  bool has_dates =
      true;  ///< false: totals, one operation for all that is read and one for the rest
  Oddities oddities;
};

/// The runs of a file, in its order.
using IoLogs = std::vector<IoLog>;

/// The names of I/O logs.
template <>
struct KindOf<IoLogs> {
  static constexpr std::string_view kName = "io";
  static constexpr std::string_view kRecords = "I/O";
  static constexpr std::string_view kFile = "an I/O log";
  static constexpr std::string_view kPlain = "csv";
};

/// Darshan DXT: what darshan-dxt-parser writes (comment lines, then module, rank, write or read, segment, offset, length,
/// start, end, between blanks), or the same records as a table with columns file, rank, module, op, segment, offset,
/// length, start_s, end_s. Where calls of MPI-IO are recorded beside the POSIX calls that they make, the latter count.
[[nodiscard]] Result<IoLogs> read_darshan_dxt(LineReader lines);
[[nodiscard]] bool looks_like_darshan_dxt(std::string_view head);

/// Totals: columns run, component, bytes_written, bytes_read, write_time_s, read_time_s. One log per run, from its row
/// ALL or, where it has none, from the sum of its components.
[[nodiscard]] Result<IoLogs> read_io_totals(LineReader lines);
[[nodiscard]] bool looks_like_io_totals(std::string_view head);

/// Refuses every question: I/O logs are not written.
[[nodiscard]] Result<IoLogs> sliced(const IoLogs& logs, const SliceQuestion& question);

}  // namespace holdfast
