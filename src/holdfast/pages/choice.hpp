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
  heat,    ///< two swept parameters, with the centre as colour
  ecdf,    ///< distribution functions
};

/// The choices of the table [report] of a campaign.
struct ReportChoice {
  std::size_t metric = 0;
  std::vector<std::size_t> also;  ///< further metrics, for which the same charts are drawn
  std::optional<Dimension> x;     ///< nothing: no parameter is swept
  Dimension series;
  std::optional<Dimension> facet;
  std::optional<Dimension> y;     ///< the second parameter of heat maps
  std::vector<ChartKind> charts;  ///< in order; charts that cannot be drawn are left out
  std::optional<bool> log_x;      ///< nothing: decided by the values
  std::optional<bool> log_metric;
};

/// Reads [report]: x, series, facet, y (a swept parameter, PARAMETER/member, or "strategy"), metric, also (a list of metrics),
/// charts (any of ratios, boxes, lines, heat, ecdf) and log (any of x and metric, or an empty list). Entries that are missing
/// are chosen to suit the campaign's sweep. The reader is strict; errors are placed at [report].
/// @param fields  fields of the domain, for the units of axes
[[nodiscard]] Result<ReportChoice> read_choice(const Description& description,
                                               std::span<const Parameter> fields);

}  // namespace holdfast
