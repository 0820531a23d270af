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

/// Jobs and capacity from files. traces/ reads them into plain records; the functions here turn these into the terms of the
/// model: whole seconds from a common origin, machines, cores.
namespace holdfast::capacity {

/// The rules that turn a series into a number of machines.
inline constexpr auto kRules = std::to_array<std::string_view>({"count", "share", "inverse"});

/// Jobs of a batch log, and the number of jobs that were left out.
struct LoggedJobs {
  std::vector<Job> jobs = {};
  std::vector<std::string> notes;
  std::int64_t left_out = 0;  ///< jobs
  /// The processors of the machine that the log is of, if its header says so and its times are not compressed; 0: unknown.
  std::int64_t processors = 0;
};

/// Reads `"jobs": {"file": "log.swf", "format": "swf", "compress": 24, "longest": "1d"}`.
///
/// A job's cores are those that it had (or asked for, if the log does not say), and its length is its run time. An SWF log
/// counts from its first submission; other tables keep their times. `compress` divides the times between submissions. Jobs
/// without a run time, processors or a submission, and jobs longer than `longest`, are left out and reported.
/// @param directory  the folder to which a relative path refers
[[nodiscard]] Result<LoggedJobs> read_logged_jobs(const Value& question, const std::string& where,
                                                  const std::filesystem::path& directory);

/// The machines alive according to a recorded series.
struct RecordedCapacity {
  std::vector<Step> alive;
  std::int64_t duration = 0;  ///< seconds that the series covers
  std::vector<std::string> notes;
  /// The error if there is a single machine, which most values switch off: its user gave no number that could change that.
  std::optional<Error> single = {};
};

/// The range of the number of machines. Rules other than `count` scale to it.
struct MachineBounds {
  std::optional<std::int64_t> most;   ///< M+
  std::optional<std::int64_t> least;  ///< M-
  /// The mean number of machines alive for which M+ is chosen if it is not given; without it, M+ is 32.
  std::optional<double> wanted;
};

/// Reads `"alive": {"file": "spot.json", "rule": "count", "from": "2020-02-01", "unit": "1h", "column": "A+B"}`.
///
/// The instant `from` of the series (default: its first) is the begin of the window. The rules, where v is the value, are:
/// - `count` (default for instances): A = floor(v)
/// - `share` (default for power): A = floor(M+ v / v_max), one machine for each M+-th part of the largest value. It is the
///   only rule for a share in service (outages, availability), where v_max is 1, the whole machine
/// - `inverse` (default for carbon): A = M- + floor((M+ - M-) (v_max - v) / (v_max - v_min)): dirty power, few machines
/// where v_min and v_max are taken over the part of the series that is used. M+ defaults to the value that makes the mean
/// `wanted`, or else to 32; M- of `inverse` defaults to half of M+.
/// @param length  seconds to use from `from` on, if the window is fixed
[[nodiscard]] Result<RecordedCapacity> read_recorded_capacity(
    const Value& question, const std::string& where, const std::filesystem::path& directory,
    std::int64_t begin, std::optional<std::int64_t> length, const MachineBounds& bounds);

/// What a machine costs in an hour, according to a recorded series.
struct RecordedRates {
  std::vector<Rate> rates;
  std::int64_t duration = 0;  ///< seconds that the series covers
  std::vector<std::string> notes;
};

/// Reads `"price": {"file": "day-ahead.csv", "from": "2020-02-01", "column": "EUR/kWh", "scale": 0.4}`. The instant `from` of the
/// series (default: its first) is the begin of the window, which the series must cover.
/// @param end  of the window; absent: that of the series
[[nodiscard]] Result<RecordedRates> read_recorded_rates(const Value& question,
                                                        const std::string& where,
                                                        const std::filesystem::path& directory,
                                                        std::int64_t begin,
                                                        std::optional<std::int64_t> end);

}  // namespace holdfast::capacity
