#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/traces/io/darshan.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::io {

/// How an I/O log becomes phases.
struct LogReading {
  std::string file;            ///< a file in a format for I/O logs
  std::string run;             ///< name of the run in the file; empty: the only one
  double gap = 1;              ///< seconds: operations with a shorter gap between them count as one
  std::optional<double> work;  ///< seconds of work of a run for which only totals are known
};

/// Reads {"file", "run", "gap", "work"}, or a text with the name of the file.
[[nodiscard]] Result<LogReading> read_log_reading(const Value& value, const std::string& where);

/// The phases of one run.
struct LoggedPhases {
  std::string name;
  double processes = 1;
  double bandwidth = 0;  ///< bytes/s: bytes moved divided by the time that this took
  std::vector<Phase> phases;
};

/// Returns the phases of one run. Operations of all ranks that overlap, or whose gap is too short, form one operation with all
/// their bytes. The time between operations is work; pauses inside an operation are added to the work after it, so that the run
/// takes as long alone as it took when it was logged. Totals become the phases read, work, write.
[[nodiscard]] Result<LoggedPhases> phases_of(const IoLog& log, const LogReading& reading);

/// Returns the phases of the runs in a file: of all of them, or of the named one.
[[nodiscard]] Result<std::vector<LoggedPhases>> load_phases(const LogReading& reading,
                                                            const std::filesystem::path& directory);

/// Returns an instance in which the runs of a file run side by side. The window ends with the shortest run.
/// @param bandwidth  bandwidth of the file system; 0: that of the fastest run
[[nodiscard]] Result<Instance> instance_of(const std::vector<LoggedPhases>& runs, double bandwidth);

}  // namespace holdfast::io
