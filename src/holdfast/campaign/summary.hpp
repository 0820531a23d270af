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

/// What one strategy did at one point.
struct StrategySummary {
  /// In the order of the description; none: no cell had it.
  std::vector<std::optional<Summary>> metrics;
  /// The same order: which part of what is possible, draw by draw; none: no bound is known.
  std::vector<std::optional<Summary>> reached = {};
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
};

/// One metric of two strategies that met the same realisations, by the ratios of the pairs; a pair is a
/// draw in which both have the metric and both enter the statistics. What does not exist (a ratio
/// with 0) is absent.
struct Comparison {
  std::size_t numerator = 0;  ///< strategy: of a summary, the baseline
  std::size_t denominator = 0;
  std::size_t metric = 0;
  std::uint64_t count = 0;  ///< pairs, at least 1
  std::optional<double> geometric_mean;
  std::optional<double> geometric_sd;
  std::optional<std::array<double, 2>> interval;  ///< 95 %, of the geometric mean
  std::optional<double> ratio_of_means;
};

struct PointSummary {
  std::size_t position = 0;
  std::vector<StrategySummary> strategies;
  std::vector<Comparison> comparisons;  ///< by strategy, then metric; only with at least one member
};

/// Statistics of a point. The baseline is compared with every other strategy that is no bound, in every metric that
/// has a better direction.
/// @param bounds  positions of the strategies that are bounds
[[nodiscard]] PointSummary summarize(const PointCells& cells, std::span<const StoredMetric> metrics,
                                     std::optional<std::size_t> baseline,
                                     std::span<const std::size_t> bounds = {});

/// Returns true if a run of the strategy at this point did not complete: its other runs are then a biased sample.
[[nodiscard]] bool gave_up(const PointCells& cells, std::size_t strategy);

/// Returns one strategy beside another in one metric, by the draws in which both have it; nothing if no draw says anything.
[[nodiscard]] std::optional<Comparison> compare(const PointCells& cells, std::size_t numerator,
                                                std::size_t denominator, std::size_t metric);

/// Mean of the numerator over mean of the denominator, for a metric that is the quotient of two others;
/// nothing for other metrics, or where a mean is missing or 0. A few long runs weigh more in it than in
/// the mean of the ratios.
[[nodiscard]] std::optional<double> ratio_of_means(const StrategySummary& summary,
                                                   std::span<const StoredMetric> metrics,
                                                   std::size_t metric);

/// Returns the members "results" and "comparisons" of a results document (interface, section 2), under one
/// object.
/// @param bounds  as of summarize()
[[nodiscard]] Value to_value(const PointSummary& summary, std::span<const std::string> strategies,
                             std::span<const StoredMetric> metrics,
                             std::span<const std::size_t> bounds = {});

/// Returns what the bound on a metric is called: the metric's name, or the strategy's.
[[nodiscard]] const std::string& name_of(const BoundPlace& bound,
                                         std::span<const std::string> strategies,
                                         std::span<const StoredMetric> metrics);

/// Ratios of two strategies over all points that agree in some parameters.
struct RatioGroup {
  std::vector<Value> values;  ///< values of the axes grouped by, in the order asked
  PairedRatios ratios;
};

/// Returns one group for each combination of the named axes, in the order of the design; no axis: one group
/// over everything. Unknown names of axes, metric or strategies are errors with a suggestion.
[[nodiscard]] Result<std::vector<RatioGroup>> group_ratios(const Results& results,
                                                           std::string_view metric,
                                                           std::string_view numerator,
                                                           std::string_view denominator,
                                                           std::span<const std::string> by);

}  // namespace holdfast
