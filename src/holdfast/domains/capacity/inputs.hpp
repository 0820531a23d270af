#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Jobs and capacity from files of the field. traces/ reads them to plain records; here these become what the model
/// knows: whole seconds from a common origin, machines, cores.
namespace holdfast::capacity {

/// How a series becomes a number of machines.
inline constexpr auto kRules = std::to_array<std::string_view>({"count", "share", "inverse"});

/// Jobs of a batch log, and what was left out of it.
struct LoggedJobs {
  std::vector<Job> jobs;
  std::vector<std::string> notes;
  std::int64_t left_out = 0;  ///< jobs
};

/// Reads `"jobs": {"file": "log.swf", "format": "swf", "compress": 24, "longest": "1d"}`.
///
/// A job's cores are those that it had (where the log does not say: asked for), its length is its run time. An SWF log
/// counts from its first submission; other tables keep their times. `compress` divides the times between
/// submissions. Left out, and told: jobs without a run time, processors or a submission, and those longer than `longest`.
/// @param directory  where a relative path starts
[[nodiscard]] Result<LoggedJobs> read_logged_jobs(const Value& question, const std::string& where,
                                                  const std::filesystem::path& directory);

/// Machines alive by a recorded series.
struct RecordedCapacity {
  std::vector<Step> alive;
  std::int64_t duration = 0;  ///< seconds that the series covers
  std::vector<std::string> notes;
};

/// How many machines there may be; rules other than `count` scale to them.
struct MachineBounds {
  std::optional<std::int64_t> most;   ///< M+
  std::optional<std::int64_t> least;  ///< M-
  /// Where M+ is not said: how many machines should be alive on average; nothing: 32 at most.
  std::optional<double> wanted;
};

/// Reads `"alive": {"file": "spot.json", "rule": "count", "from": "2020-02-01", "unit": "1h", "column": "A+B"}`.
///
/// The series is laid so that its instant `from` (default: its first) is the window's begin. Rules, v the value:
/// - `count` (default of instances): A = floor(v)
/// - `share` (default of power): A = floor(M+ v / v_max): a machine for each M+-th of the largest value. The only one of
///   a share in service (outages, availability), where v_max is 1: the whole machine
/// - `inverse` (default of carbon): A = M- + floor((M+ - M-) (v_max - v) / (v_max - v_min)): dirty power, few machines
/// with v_min, v_max otherwise over the part that is used. M+ defaults to what brings the mean to `wanted`, else to 32;
/// M- of `inverse` to half of it.
/// @param length  seconds that are used from `from` on, where the window is fixed
[[nodiscard]] Result<RecordedCapacity> read_recorded_capacity(
    const Value& question, const std::string& where, const std::filesystem::path& directory,
    std::int64_t begin, std::optional<std::int64_t> length, const MachineBounds& bounds);

}  // namespace holdfast::capacity
