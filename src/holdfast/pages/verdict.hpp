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

/// What a comparison comes to, in sentences without full stops: the answer that stands first in every output and on
/// every page. The wording of one pair of strategies is in gain.hpp.
namespace holdfast {

/// What may be known of a point beside its cells.
struct VerdictContext {
  const Domain* domain = nullptr;  ///< which strategy it recommends, and what its baselines know
  std::string_view why_alike;      ///< why strategies may come out alike: "failures are memoryless"
  std::optional<GainSplit> split;  ///< split of the point
};

/// Returns one point: the best strategy beside each other one, first beside the baseline; of a strategy that gave up runs only
/// how many; in the end, where that can be said, which part of the gain is knowing more, and how much of what is possible the best one
/// reached. Of one strategy alone, bounds apart, its mean. Empty if the metric has no better direction and more than one strategy
/// was run.
[[nodiscard]] std::vector<std::string> point_verdict(const PointSummary& summary,
                                                     const Ranking& ranking,
                                                     std::span<const std::string> strategies,
                                                     std::span<const StoredMetric> metrics,
                                                     std::optional<std::size_t> baseline,
                                                     const VerdictContext& context = {});

/// Returns which problem a campaign is about, in one line: of several points what differs, and the first. Empty if nobody said.
[[nodiscard]] std::string campaign_problem(const Results& results);

/// Returns all points of a campaign: the strategy that is best over all of them beside each other one, as the range over the
/// points; the average follows. Points at which one of a pair gave up runs are left out of both, and counted.
/// @param metric  position among the metrics
/// @param domain  of the campaign; null if it is unknown
[[nodiscard]] Result<std::vector<std::string>> campaign_verdict(const Results& results,
                                                                std::size_t metric,
                                                                const Domain* domain = nullptr);

}  // namespace holdfast
