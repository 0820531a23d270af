#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/possible.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The statistics of one strategy at one point.
struct StrategySummary {
  /// The metrics in the order of the description; none if no cell had a value.
  std::vector<std::optional<Summary>> metrics;
  /// Share of the best possible value that the runs reached, for each metric; none if no bound is known.
  std::vector<std::optional<Summary>> reached = {};
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
};

/// A comparison of one metric of two strategies on the same realisations, by the ratios of the pairs. A pair is a draw in which
/// both strategies have the metric and both count in the statistics. Values that do not exist (a ratio with 0) are absent.
struct Comparison {
  std::size_t numerator = 0;  ///< position of a strategy; in a summary, the baseline
  std::size_t denominator = 0;
  std::size_t metric = 0;
  std::uint64_t count = 0;  ///< pairs, at least 1
  std::optional<double> geometric_mean;
  std::optional<double> geometric_sd;
  std::optional<std::array<double, 2>> interval;  ///< 95 % interval of the geometric mean
  std::optional<double> ratio_of_means;
};

struct PointSummary {
  std::size_t position = 0;
  std::vector<StrategySummary> strategies;
  /// Comparisons by strategy, then metric; only those with at least one member.
  std::vector<Comparison> comparisons;
};

/// Returns the statistics of a point. The baseline is compared with every other strategy that is not a bound, in every metric
/// that has a better direction.
/// @param bounds  positions of the strategies that are bounds
[[nodiscard]] PointSummary summarize(const PointCells& cells, std::span<const StoredMetric> metrics,
                                     std::optional<std::size_t> baseline,
                                     std::span<const std::size_t> bounds = {});

/// Returns true if a run of the strategy did not complete at this point; its other runs are then a biased sample.
[[nodiscard]] bool gave_up(const PointCells& cells, std::size_t strategy);

/// Compares two strategies in one metric, by the draws in which both have it. Returns nothing if there is no such draw.
[[nodiscard]] std::optional<Comparison> compare(const PointCells& cells, std::size_t numerator,
                                                std::size_t denominator, std::size_t metric);

/// Returns the mean of the numerator over the mean of the denominator, for a metric that is the quotient of two others. Nothing
/// for other metrics, or if a mean is missing or 0. A few long runs have more weight in this ratio than in the mean of the
/// ratios.
[[nodiscard]] std::optional<double> ratio_of_means(const StrategySummary& summary,
                                                   std::span<const StoredMetric> metrics,
                                                   std::size_t metric);

/// Returns the members "results" and "comparisons" of a results document (interface, section 2) in one object.
/// @param bounds  as in summarize()
[[nodiscard]] Value to_value(const PointSummary& summary, std::span<const std::string> strategies,
                             std::span<const StoredMetric> metrics,
                             std::span<const std::size_t> bounds = {});

/// Returns the name of the bound on a metric, which is the name of a metric or of a strategy.
[[nodiscard]] const std::string& name_of(const BoundPlace& bound,
                                         std::span<const std::string> strategies,
                                         std::span<const StoredMetric> metrics);

/// Ratios of two strategies over all points that agree in some parameters.
struct RatioGroup {
  std::vector<Value> values;  ///< values of the grouping axes, in the order asked for
  PairedRatios ratios;
};

/// Returns one group for each combination of the named axes, in the order of the design. Without axes there is one group.
/// Unknown names of axes, metrics or strategies are errors with a suggestion.
[[nodiscard]] Result<std::vector<RatioGroup>> group_ratios(const Results& results,
                                                           std::string_view metric,
                                                           std::string_view numerator,
                                                           std::string_view denominator,
                                                           std::span<const std::string> by);

}  // namespace holdfast
