#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/gain_split.hpp"
#include "holdfast/campaign/ranking.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The result of a comparison in sentences without full stops: the answer at the top of every output and every page. gain.hpp
/// has the sentence about one pair of strategies.
namespace holdfast {

/// What may be known about a point in addition to its cells.
struct VerdictContext {
  const Domain* domain = nullptr;  ///< its recommended strategy and informed baseline are used
  /// Why strategies may have equal results: "failures are memoryless".
  std::string_view why_alike;
  std::optional<GainSplit> split;  ///< split of the gain at the point
};

/// Returns the verdict of one point: the best strategy compared with each other one, the baseline first. For a strategy that
/// gave up runs it only gives their number. At the end, if this is known, it says which part of the gain comes from knowing
/// more, and what share of the best possible value the best strategy reached. If only one strategy ran (apart from bounds), it
/// gives its mean. Empty if the metric has no better direction and more than one strategy was run.
[[nodiscard]] std::vector<std::string> point_verdict(const PointSummary& summary,
                                                     const Ranking& ranking,
                                                     std::span<const std::string> strategies,
                                                     std::span<const StoredMetric> metrics,
                                                     std::optional<std::size_t> baseline,
                                                     const VerdictContext& context = {});

/// Returns the problem that a campaign is about, in one line: if there are several points, their differences and the first
/// point. Empty if unknown.
[[nodiscard]] std::string campaign_problem(const Results& results);

/// Returns the verdict over all points of a campaign: the strategy that is best over all of them, compared with each other one
/// by the range over the points, and then by the average. Points at which one of a pair gave up runs are left out of both, and
/// counted.
/// @param metric  position among the metrics
/// @param domain  domain of the campaign; null if it is unknown
[[nodiscard]] Result<std::vector<std::string>> campaign_verdict(const Results& results,
                                                                std::size_t metric,
                                                                const Domain* domain = nullptr);

}  // namespace holdfast
