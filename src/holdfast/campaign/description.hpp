#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// A metric as a results file describes it, so that an old file can be read without its domain.
struct StoredMetric {
  std::string name;
  std::string unit;
  Better better = Better::lower;
  std::string summary;
  std::string numerator = {};  ///< as in Metric; results files do not store it
  std::string denominator = {};
  std::string bounds = {};  ///< as in Metric
};

/// The description that results contain of their campaign, as of its last run.
struct Description {
  std::string name;
  std::string domain;
  std::uint64_t seed = 1;
  std::uint64_t instances = 1;
  std::uint64_t scenarios = 1;
  std::vector<Axis> axes;
  std::vector<std::string> strategies;  ///< canonical texts of the strategies
  /// The same strategies as they were typed; empty in old results.
  std::vector<std::string> shown;
  std::optional<std::size_t> baseline;  ///< position in strategies
  /// Positions in `strategies` of those that are bounds (bounds_among()).
  std::vector<std::size_t> bounds = {};
  std::vector<StoredMetric> metrics;
  Value report = Value::object();  ///< the table [report]
  double scale = 1;                ///< factor by which instances and scenarios have been multiplied
  std::string version;             ///< version of the program that last wrote to the file
  std::string problem = {};  ///< headline of the first point; empty in results of old programs

  /// Returns the description with the strategies as they were typed, for tables and pages.
  [[nodiscard]] Description for_people() const;
};

/// Returns the description of a campaign that is about to run.
[[nodiscard]] Description describe_campaign(const Campaign& campaign);
[[nodiscard]] std::vector<StoredMetric> describe_metrics(const Domain& domain);

/// Returns the positions of the strategies that are bounds on the others. Rankings and verdicts leave them out. The list is
/// empty if all strategies are bounds, because then the question is about them.
[[nodiscard]] std::vector<std::size_t> bounds_among(const Domain& domain,
                                                    std::span<const StrategySpec> strategies);

/// Returns a description as text. Strategies and metrics are left out; results keep them in separate tables.
[[nodiscard]] std::string to_text(const Description& description);
/// Reads such a text.
[[nodiscard]] Result<Description> parse_description(std::string_view text);
/// Adds strategies and metrics to the result of parse_description(). Bounds that are not among the strategies are dropped.
void complete_description(Description& description, std::vector<std::string> strategies,
                          std::vector<StoredMetric> metrics);

/// Returns the meaning of "lower", "higher" or "neither".
[[nodiscard]] Better parse_better(std::string_view text);

}  // namespace holdfast
