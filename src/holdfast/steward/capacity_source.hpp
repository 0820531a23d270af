#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::steward {

/// A cap that holds each day from one time to another: "08:00-20:00=6".
struct DailyCap {
  std::int64_t begin = 0;  ///< seconds of the day
  std::int64_t end = 0;    ///< seconds of the day; before `begin`: of the next day
  std::int64_t nodes = 0;

  [[nodiscard]] bool holds_at(std::int64_t second_of_day) const {
    return begin <= end ? begin <= second_of_day && second_of_day < end
                        : second_of_day >= begin || second_of_day < end;
  }
};
/// Reads such caps, separated by commas. Errors have no place.
[[nodiscard]] Result<std::vector<DailyCap>> parse_caps(std::string_view text);

/// How many nodes may be on now: what a file says, and what caps by the time of day say.
class CapacitySource {
 public:
  struct Options {
    std::string file;                ///< a number that somebody edits, or a series; empty: none
    Value series = Value::object();  ///< how the series is read: rule, column, unit, from
    std::vector<DailyCap> caps = {};
  };
  CapacitySource(Options options, std::int64_t nodes, std::int64_t begin)
      : options_{std::move(options)}, nodes_{nodes}, begin_{begin} {}

  [[nodiscard]] bool is_given() const { return !options_.file.empty() || !options_.caps.empty(); }
  /// Returns the number of nodes. The file is read again if it changed; an error leaves what was known before.
  /// @param now  seconds since 1970
  [[nodiscard]] Result<std::int64_t> at(std::int64_t now);

 private:
  Status read(std::int64_t now);

  Options options_;
  std::int64_t nodes_;
  std::int64_t begin_;  ///< when a series without dates begins
  std::filesystem::file_time_type changed_ = {};
  std::vector<capacity::Step> steps_;  ///< since 1970; the first also holds before
};

/// What a machine-hour costs, in money or in grams, from a file that is read again when it changes.
class RateSource {
 public:
  /// @param file  empty: none
  RateSource(std::string file, std::string column, std::int64_t begin)
      : file_{std::move(file)}, column_{std::move(column)}, begin_{begin} {}

  /// Returns the rates from now on if they are others than those that were returned last; an error if none are known for now.
  /// @param now  seconds since 1970
  [[nodiscard]] Result<std::optional<std::vector<capacity::Rate>>> news(std::int64_t now);

 private:
  std::string file_;
  std::string column_;
  std::int64_t begin_;  ///< when a series without dates begins
  std::filesystem::file_time_type changed_ = {};
  std::int64_t end_ = 0;  ///< until when the rates are known
};

/// Reads the nodes that were announced to go: on each line a list of names as Slurm writes them, and behind it why. Empty lines
/// and those that begin with # are skipped. Errors name the line.
[[nodiscard]] Result<std::map<std::string, std::string>> read_notices(const std::string& file);

}  // namespace holdfast::steward
