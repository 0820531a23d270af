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

/// One swept parameter: its name, and the elements of its array as they stand in the file.
struct Axis {
  std::string name;
  std::vector<Value> values;  ///< never empty
};

/// The swept parameter whose elements are tables of parameters. `points = [{processors = 1000}, {processors = 2000}, {jobs =
/// 100}]` lists points one by one, for cases where the product of all sweeps would be too large. A parameter that a table does
/// not contain has its fixed value.
inline constexpr std::string_view kPointsAxis = "points";

/// The contents of a campaign file, checked as far as possible without opening a point.
struct Campaign {
  std::string name;
  const Domain* domain = nullptr;
  std::uint64_t seed = 1;
  std::uint64_t instances = 1;
  std::uint64_t scenarios = 1;
  std::vector<StrategySpec> strategies;  ///< in the order of the file; at least one
  std::optional<std::size_t> baseline;  ///< position in strategies; without one nothing is compared
  Value fixed = Value::object();        ///< parameters with one value
  /// Swept parameters in the order of the file; the first one varies slowest.
  std::vector<Axis> axes;
  Value report = Value::object();  ///< the table [report], which only reports read
  /// The folder to which relative paths in parameters refer.
  std::filesystem::path directory = ".";
  std::string file;  ///< the file's path as given, for messages
  std::string text;  ///< the file's text, copied into the results
  double scale = 1;  ///< factor by which instances and scenarios have been multiplied
};

/// Sets one value of an axis among the parameters of a point.
void set_values(const Axis& axis, const Value& value, Value& parameters);

/// Returns the document of a point: parameters that are named as options (mtbf) at their places in it (/failures/mtbf).
[[nodiscard]] Value with_options_in_place(const Domain& domain, Value parameters);

/// Reads a campaign file (interface, section 4). In [parameters] a scalar or a table is a fixed value, and an array is swept:
/// each element is one value. A parameter may also be named as its option: mtbf for the member of failures. If the parameter itself is a list, each element is a list (`ages = [[[0, 10]], [[8640000, 10]]]`
/// sweeps two lists of ages; `[[...]]` around one list fixes it). `points` lists tables of parameters (kPointsAxis). An unknown
/// key, an empty array, and an unknown strategy or baseline are errors at FILE:LINE.
/// @param known  the domains that the file may name; tests pass their own
[[nodiscard]] Result<Campaign> read_campaign(const std::filesystem::path& file,
                                             std::span<const Domain* const> known = domains());

/// Reads the text of a campaign file.
/// @param file       the name of the file, for messages
/// @param directory  the folder to which relative paths in parameters refer
[[nodiscard]] Result<Campaign> parse_campaign(std::string_view text, std::string_view file,
                                              const std::filesystem::path& directory,
                                              std::span<const Domain* const> known = domains());

/// Reads a campaign from the copy in the directory of its results, for `holdfast run DIR`. Relative paths refer to the folder
/// of the original file.
[[nodiscard]] Result<Campaign> read_campaign_of(const std::filesystem::path& results,
                                                std::span<const Domain* const> known = domains());

/// Returns true if the path is a directory with results of a campaign.
[[nodiscard]] bool holds_results(const std::filesystem::path& path);

/// Returns the default directory of the results, in the current folder: "NAME-results" for "some/where/NAME.toml".
[[nodiscard]] std::filesystem::path default_results_directory(const std::filesystem::path& file);

/// Returns the campaign with instances and scenarios multiplied by a factor and rounded, at least 1 of each.
/// @pre factor > 0
[[nodiscard]] Campaign scaled(Campaign campaign, double factor);

}  // namespace holdfast
