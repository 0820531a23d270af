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

/// A metric as a results file describes it: an old file stays readable without its domain.
struct StoredMetric {
  std::string name;
  std::string unit;
  Better better = Better::lower;
  std::string summary;
  std::string numerator = {};  ///< as in Metric; results files do not store it
  std::string denominator = {};
  std::string bounds = {};  ///< as in Metric
};

/// The description of a campaign that its results contain: the campaign of the last run.
struct Description {
  std::string name;
  std::string domain;
  std::uint64_t seed = 1;
  std::uint64_t instances = 1;
  std::uint64_t scenarios = 1;
  std::vector<Axis> axes;
  std::vector<std::string> strategies;  ///< canonical texts of the strategies
  std::vector<std::string> shown;       ///< their texts as they were typed; empty in old results
  std::optional<std::size_t> baseline;  ///< position in strategies
  /// Positions in strategies of those that are bounds (bounds_among()).
  std::vector<std::size_t> bounds = {};
  std::vector<StoredMetric> metrics;
  Value report = Value::object();  ///< the table [report]
  double scale = 1;                ///< factor by which instances and scenarios have been multiplied
  std::string version;             ///< version of the program that wrote last
  std::string problem = {};  ///< headline of the first point; empty in results of old programs

  /// Returns the description with the strategies' names as they were typed, for tables and pages.
  [[nodiscard]] Description for_people() const;
};

/// Returns the description of a campaign that is about to run.
[[nodiscard]] Description describe_campaign(const Campaign& campaign);
[[nodiscard]] std::vector<StoredMetric> describe_metrics(const Domain& domain);

/// Returns the positions of the strategies that are bounds on the others, which rankings and verdicts leave out. None if all
/// strategies are bounds, because then the question is about them.
[[nodiscard]] std::vector<std::size_t> bounds_among(const Domain& domain,
                                                    std::span<const StrategySpec> strategies);

/// Convert a description to text and back, without strategies and metrics, which have tables of their own in results.
[[nodiscard]] std::string to_text(const Description& description);
[[nodiscard]] Result<Description> parse_description(std::string_view text);
/// Adds strategies and metrics to what parse_description() returned; bounds that are not among them are dropped.
void complete_description(Description& description, std::vector<std::string> strategies,
                          std::vector<StoredMetric> metrics);

/// Returns the meaning of "lower", "higher" or "neither".
[[nodiscard]] Better parse_better(std::string_view text);

}  // namespace holdfast
