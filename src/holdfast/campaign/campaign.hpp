#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// One swept parameter: the elements of its array, as written.
struct Axis {
  std::string name;
  std::vector<Value> values;  ///< never empty
};

/// The swept parameter whose elements are tables of parameters: `points = [{processors = 1000},
/// {processors = 2000}, {jobs = 100}]` is a list of points where a product of sweeps would be too many
/// of them. What a table leaves out has its fixed value.
inline constexpr std::string_view kPointsAxis = "points";

/// What one campaign file asks for, checked as far as that goes without opening a point.
struct Campaign {
  std::string name;
  const Domain* domain = nullptr;
  std::uint64_t seed = 1;
  std::uint64_t instances = 1;
  std::uint64_t scenarios = 1;
  std::vector<StrategySpec> strategies;  ///< in the order of the file; at least one
  std::optional<std::size_t> baseline;   ///< position in strategies; none: nothing is compared
  Value fixed = Value::object();         ///< parameters with one value
  std::vector<Axis> axes;  ///< swept parameters in the order of the file, the first varies slowest
  Value report = Value::object();         ///< the table [report], for the report alone
  std::filesystem::path directory = ".";  ///< where relative paths in parameters start
  std::string file;                       ///< the file's path as given, for messages
  std::string text;                       ///< the file's text, copied into the results
  double scale = 1;  ///< what instances and scenarios have been multiplied with
};

/// Reads a campaign file (interface, section 4). In [parameters] a scalar or a table is fixed and
/// an array is swept, its elements taken as they are: tables, and lists where the parameter itself
/// is a list
/// (`ages = [[[0, 10]], [[8640000, 10]]]` sweeps two age lists; `[[...]]` around one list fixes
/// it). `points` lists tables of parameters (kPointsAxis). Strict: an unknown key, an empty array, a strategy or baseline that nobody knows is an
/// error at FILE:LINE.
/// @param known  domains that the file may name; tests give their own
[[nodiscard]] Result<Campaign> read_campaign(const std::filesystem::path& file,
                                             std::span<const Domain* const> known = domains());

/// The same from text.
/// @param file       for messages
/// @param directory  where relative paths in parameters start
[[nodiscard]] Result<Campaign> parse_campaign(std::string_view text, std::string_view file,
                                              const std::filesystem::path& directory,
                                              std::span<const Domain* const> known = domains());

/// The campaign whose results lie in that directory, from the copy inside; paths in it start where
/// the original file lay. What `holdfast run DIR` continues.
[[nodiscard]] Result<Campaign> read_campaign_of(const std::filesystem::path& results,
                                                std::span<const Domain* const> known = domains());

/// True where the path is a directory that holds campaign results (rather than a campaign file).
[[nodiscard]] bool holds_results(const std::filesystem::path& path);

/// "NAME-results" for "some/where/NAME.toml": where results go by default, beside the caller.
[[nodiscard]] std::filesystem::path default_results_directory(const std::filesystem::path& file);

/// Instances and scenarios multiplied by a factor, rounded, at least 1 of each. @pre factor > 0
[[nodiscard]] Campaign scaled(Campaign campaign, double factor);

}  // namespace holdfast
