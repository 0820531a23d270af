#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/description.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/pages/dimension.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast {

enum class ChartKind : std::uint8_t {
  ratios,  ///< boxes of the paired ratios baseline / strategy
  boxes,   ///< boxes of the metric
  lines,   ///< means with their 95 % intervals
  heat,    ///< two swept parameters, the centre as colour
  ecdf,    ///< distribution functions
};

/// The choices of the table [report] of a campaign.
struct ReportChoice {
  std::size_t metric = 0;
  std::vector<std::size_t> also;  ///< further metrics, of which the same charts are drawn
  std::optional<Dimension> x;     ///< nothing: no parameter is swept
  Dimension series;
  std::optional<Dimension> facet;
  std::optional<Dimension> y;     ///< the second parameter of heat maps
  std::vector<ChartKind> charts;  ///< in order; what cannot be drawn is left out
  std::optional<bool> log_x;      ///< nothing: chosen by the values
  std::optional<bool> log_metric;
};

/// Reads [report]: x, series, facet, y (a swept parameter, PARAMETER/member, or "strategy"), metric, also (a list of metrics), charts (any of
/// ratios, boxes, lines, heat, ecdf) and log (any of x, metric, or none of them). Whatever is left out is chosen from what the
/// campaign sweeps. Strict; errors are placed at [report].
/// @param fields  of the domain, for the units of axes
[[nodiscard]] Result<ReportChoice> read_choice(const Description& description,
                                               std::span<const Parameter> fields);

}  // namespace holdfast
