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

/// Logs of what programs read and wrote, and when: Darshan's extended traces, and totals per run.
namespace holdfast {

/// One read or write of one process.
struct IoOperation {
  std::int64_t rank = 0;  ///< rank of the process
  bool is_write = false;
  double bytes = 0;
  double start = 0;  ///< seconds since the run began
  double end = 0;    ///< seconds since the run began, at or after the start
};

/// The I/O of one run of a program.
struct IoLog {
  std::string name;                     ///< name of the run, if the file has several
  std::vector<IoOperation> operations;  ///< in order of start
  std::int64_t processes = 0;           ///< number of processes; 0: the file does not say
  /// Seconds from the start of the run, at least until the last operation ends.
  double duration = 0;
  /// False for totals: the log then has one operation for all bytes read and one for all bytes written.
  bool has_dates = true;
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

/// Reads Darshan DXT: the output of darshan-dxt-parser (comment lines, then module, rank, write or read, segment, offset,
/// length, start and end between blanks), or the same records as a table with columns file, rank, module, op, segment,
/// offset, length, start_s, end_s. If MPI-IO calls are recorded together with the POSIX calls that they make, only the
/// POSIX calls count. Errors name FILE:LINE.
[[nodiscard]] Result<IoLogs> read_darshan_dxt(LineReader lines);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_darshan_dxt(std::string_view head);

/// Returns true for the first line of the text of a Darshan log; output of several logs may be in one file.
[[nodiscard]] bool is_start_of_darshan_log(std::string_view line);
/// Takes the number of processes, the run time or the job's number from a comment line of such a text.
[[nodiscard]] Status read_darshan_note(std::string_view line, const std::string& place, IoLog& log);

/// Reads what darshan-parser prints: the bytes and times of POSIX and STDIO over all files, as one read and one write per run.
/// Errors name FILE:LINE.
[[nodiscard]] Result<IoLogs> read_darshan_parser(LineReader lines);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_darshan_parser(std::string_view head);

/// Refuses every question, because I/O logs are not written.
[[nodiscard]] Result<IoLogs> sliced(const IoLogs& logs, const SliceQuestion& question);

}  // namespace holdfast
