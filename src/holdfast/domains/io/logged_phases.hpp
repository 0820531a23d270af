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
  std::string file;            ///< file of a format that holds I/O
  std::string run;             ///< which of the file; empty: the only one
  double gap = 1;              ///< seconds: operations that are nearer than that are one
  std::optional<double> work;  ///< seconds of work of a run of which only totals are known
};

/// Reads {"file", "run", "gap", "work"}, or a text that is the file.
[[nodiscard]] Result<LogReading> read_log_reading(const Value& value, const std::string& where);

/// What one run did, as phases.
struct LoggedPhases {
  std::string name;
  double processes = 1;
  double bandwidth = 0;  ///< bytes/s: what it moved over the time that this took
  std::vector<Phase> phases;
};

/// Phases of one run: operations of all ranks that overlap, or that less than the gap lies between, are one operation of
/// all their bytes; what lies between is work, pauses inside it too, after it: alone the run takes as long as it did.
/// Totals become: read, work, write.
[[nodiscard]] Result<LoggedPhases> phases_of(const IoLog& log, const LogReading& reading);

/// Phases of the runs of a file, all of them or the one that is named.
[[nodiscard]] Result<std::vector<LoggedPhases>> load_phases(const LogReading& reading,
                                                            const std::filesystem::path& directory);

/// Returns an instance of the runs of a file side by side; the window ends with the shortest of them.
/// @param bandwidth  of the file system; 0: that of the fastest run
[[nodiscard]] Result<Instance> instance_of(const std::vector<LoggedPhases>& runs, double bandwidth);

}  // namespace holdfast::io
