#include "holdfast/pages/campaign_charts.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/pages/gain.hpp"
#include "holdfast/pages/summary_tables.hpp"
#include "holdfast/report/number_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kCurvePoints = 200;  // points of a distribution function: half a pixel each
// Places of boxes and of coloured cells; points of a line, a pixel or two each; panels.
constexpr std::size_t kMostPlaces = 48;
constexpr std::size_t kMostOnLine = 600;
constexpr std::size_t kMostPanels = 24;
constexpr std::string_view kPairs = "Both runs of a pair met the same random events.";
constexpr double kWideRange = 30;  // largest over smallest value from which on axes are logarithmic

const Dimension* pointer_to(const std::optional<Dimension>& dimension) {
  return dimension ? &*dimension : nullptr;
}

ChartDimension chart_dimension(const Dimension* dimension, std::optional<bool> log) {
  ChartDimension out;
  if (dimension == nullptr) return out;
  out.title = dimension->title;
  out.labels = dimension->labels;
  out.numbers = dimension->numbers;
  if (out.numbers.empty() || out.numbers.front() <= 0) return out;
  out.is_logarithmic = log.value_or(out.numbers.size() > 3 &&
                                    out.numbers.back() >= kWideRange * out.numbers.front());
  return out;
}

// Returns a dimension for an axis of texts, whose labels have their units.
ChartDimension text_dimension(const Dimension* dimension) {
  ChartDimension out = chart_dimension(dimension, false);
  if (dimension == nullptr) {
    out.labels = {"all"};
    return out;
  }
  const bool has_units =
      std::any_of(out.labels.begin(), out.labels.end(), [](const std::string& label) {
        return label.find_first_not_of("0123456789.+-eE") != std::string::npos;
      });
  if (has_units) out.title = dimension->name;
  return out;
}

std::optional<Dimension> coarsened(const std::optional<Dimension>& dimension, std::size_t most) {
  return dimension ? std::optional(holdfast::coarsened(*dimension, most)) : std::nullopt;
}

}  // namespace

CampaignCharts::CampaignCharts(const Description& description, const ReportChoice& choice)
    : description_(&description),
      choice_(&choice),
      strategy_(strategy_dimension(description)),
      line_x_(coarsened(choice.x, wants(ChartKind::boxes) ? kMostPlaces : kMostOnLine)),
      x_(coarsened(choice.x, kMostPlaces)),
      y_(coarsened(choice.y, kMostPlaces)),
      facet_(coarsened(choice.facet, kMostPanels)),
      values_(pointer_to(line_x_), choice.series, pointer_to(facet_)),
      gains_(pointer_to(x_), choice.series, pointer_to(facet_),
             &description.metrics[choice.metric]) {
  if (!wants(ChartKind::heat) || !x_ || !y_) return;
  heat_.emplace(pointer_to(x_), *y_, &strategy_,
                description.baseline ? &description.metrics[choice.metric] : nullptr);
}

bool CampaignCharts::wants(ChartKind kind) const {
  return std::find(choice_->charts.begin(), choice_->charts.end(), kind) != choice_->charts.end();
}

void CampaignCharts::add(const PointCells& cells) {
  const bool has_baseline = description_->baseline && !gave_up(cells, *description_->baseline);
  for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
    if (gave_up(cells, strategy)) {
      leaves_out_ = true;
      continue;
    }
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      add_cell(cells, draw, strategy, has_baseline);
    }
  }
}

void CampaignCharts::add_cell(const PointCells& cells, std::size_t draw, std::size_t strategy,
                              bool compare) {
  const auto value = cells.value(draw, strategy, choice_->metric);
  if (!value || !std::isfinite(*value)) return;
  values_.add(values_.group_of(cells.position(), strategy), draw, *value);
  const auto baseline =
      compare ? cells.value(draw, *description_->baseline, choice_->metric) : std::nullopt;
  if (!description_->baseline) {
    if (heat_) heat_->add(heat_->group_of(cells.position(), strategy), draw, *value);
    return;
  }
  if (!baseline || strategy == *description_->baseline) return;
  const double ratio = *value / *baseline;
  if (!std::isfinite(ratio) || !(ratio > 0)) return;
  has_pairs_ = true;
  gains_.add(gains_.group_of(cells.position(), strategy), draw, ratio);
  if (heat_) heat_->add(heat_->group_of(cells.position(), strategy), draw, ratio);
}

ChartQuantity CampaignCharts::metric_quantity(const GroupedCells& cells, double& unit) const {
  const StoredMetric& metric = description_->metrics[choice_->metric];
  const DisplayUnit shown = display_unit(unit_of(metric), cells.largest());
  unit = shown.size;
  ChartQuantity out;
  const std::string& unit_name = shown.name.empty() ? metric.unit : shown.name;
  out.title = label_of(metric);
  if (!unit_name.empty()) out.title += fmt::format(" ({})", unit_name);
  return out;
}

const std::string& CampaignCharts::baseline_name() const {
  return description_->strategies[*description_->baseline];
}

ChartQuantity CampaignCharts::gain_quantity() const {
  ChartQuantity out;
  out.title = fmt::format("better than {} by (%)", baseline_name());
  out.rule = 0;
  out.center = "geometric mean";
  return out;
}

template <class Marks, class RangeOf>
void CampaignCharts::set_scale(ChartQuantity& quantity, const Marks& marks,
                               const RangeOf& range_of) const {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const auto& mark : marks) {
    const auto [low, high] = range_of(mark);
    smallest = std::min(smallest, low);
    largest = std::max(largest, high);
  }
  quantity.is_logarithmic = !quantity.rule && smallest > 0 &&
                            choice_->log_metric.value_or(largest >= kWideRange * smallest);
}

std::string CampaignCharts::taken_together(std::initializer_list<const Dimension*> shown) const {
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < description_->axes.size(); ++i) {
    const Axis& axis = description_->axes[i];
    const bool is_shown = std::any_of(shown.begin(), shown.end(), [&](const Dimension* one) {
      return one != nullptr && !one->is_strategy && one->axis() == i;
    });
    if (!is_shown && axis.values.size() > 1) rest.push_back(axis.name);
  }
  std::string out;
  if (!rest.empty()) out = fmt::format(" All values of {} taken together.", join(rest, ", "));
  for (const Dimension* one : shown) {
    if (one == nullptr || one->together_ == 1) continue;
    out += fmt::format(" Neighbouring values of {} are taken together, {} at a time.", one->name,
                       one->together_);
  }
  if (leaves_out_) out += " Strategies are left out at points at which they gave up runs.";
  return out;
}

std::optional<std::size_t> CampaignCharts::reference() const {
  return choice_->series.is_strategy ? description_->baseline : std::nullopt;
}

PageChart CampaignCharts::grouped(ChartKind kind) {
  const bool is_gain = kind == ChartKind::ratios;
  GroupedCells& cells = is_gain ? gains_ : values_;
  double unit = 1;
  GroupChart chart;
  chart.quantity = is_gain ? gain_quantity() : metric_quantity(cells, unit);
  chart.groups = cells.statistics(unit);
  const bool is_line = kind == ChartKind::lines;
  set_scale(chart.quantity, chart.groups, [is_line](const ChartGroup& group) {
    const bool is_lower = is_line && std::isfinite(group.low);
    return std::pair(is_lower ? std::min(group.p10, group.low) : group.p10, group.p90);
  });
  chart.series = chart_dimension(&choice_->series, false);
  const std::optional<Dimension>& x = is_gain ? x_ : line_x_;
  chart.facet = text_dimension(pointer_to(facet_));
  if (!facet_) chart.facet = {};
  chart.reference = reference();
  const StoredMetric& metric = description_->metrics[choice_->metric];
  const std::string pooled = taken_together({pointer_to(x), &choice_->series, pointer_to(facet_)});
  if (is_line) {
    chart.id = "lines";
    chart.title = fmt::format("{}: means with 95 % intervals", label_of(metric));
    chart.caption = "Lines: means; bands: 95 % confidence intervals of the means." + pooled;
    chart.x = chart_dimension(pointer_to(x), choice_->log_x);
    return chart.x.numbers.empty() ? point_chart((chart.x = text_dimension(pointer_to(x)), chart))
                                   : line_chart(chart);
  }
  chart.x = text_dimension(pointer_to(x));
  chart.id = is_gain ? "ratios" : "boxes";
  const std::string boxes =
      "Boxes: 25 to 75 %; whiskers: 10 to 90 %; bar: median; symbol: " + chart.quantity.center +
      ".";
  chart.title =
      is_gain ? fmt::format("{}: gain over {}, pair by pair", label_of(metric), baseline_name())
              : label_of(metric);
  chart.caption = (is_gain ? std::string(kPairs) + " " : std::string()) + boxes + pooled;
  return box_chart(chart);
}

std::optional<PageChart> CampaignCharts::heat() {
  if (!heat_) return std::nullopt;
  const bool is_gain = has_pairs_;
  double unit = 1;
  GroupChart chart;
  chart.quantity = is_gain ? gain_quantity() : metric_quantity(*heat_, unit);
  chart.groups = heat_->statistics(unit);
  if (chart.groups.empty()) return std::nullopt;
  const StoredMetric& metric = description_->metrics[choice_->metric];
  chart.id = "heat";
  chart.title = fmt::format("{}{} by {} and {}", label_of(metric),
                            is_gain ? ": gain over " + baseline_name() : std::string(),
                            choice_->x->name, choice_->y->name);
  chart.caption = fmt::format("Colour and number: {}.{}",
                              is_gain ? "gain in %, by the geometric mean of the pairs" : "mean",
                              taken_together({&*x_, &*y_}));
  set_scale(chart.quantity, chart.groups,
            [](const ChartGroup& group) { return std::pair(group.center, group.center); });
  chart.x = text_dimension(&*x_);
  chart.series = text_dimension(&*y_);
  const std::size_t others = description_->strategies.size() - (is_gain ? 1 : 0);
  if (others > 1) chart.facet = text_dimension(&strategy_);
  if (others == 1) {
    for (ChartGroup& group : chart.groups) group.facet = 0;
  }
  return heat_chart(chart);
}

PageChart CampaignCharts::curves() const {
  // Values of different points can hardly be compared, but gains can.
  const Dimension* panels = values_.panels();
  const bool is_pooled =
      description_->axes.size() > (panels != nullptr && !panels->is_strategy ? 1U : 0U);
  const bool is_gain = has_pairs_ && is_pooled;
  double unit = 1;
  CurveChart chart;
  chart.quantity = is_gain ? gain_quantity() : metric_quantity(values_, unit);
  const GroupedCells& cells = is_gain ? gains_ : values_;
  chart.points = cells.curves(unit, kCurvePoints);
  chart.id = "ecdf";
  const StoredMetric& metric = description_->metrics[choice_->metric];
  chart.title = fmt::format("{}: distribution of {}", label_of(metric),
                            is_gain ? "the gain over " + baseline_name() : "the values");
  chart.caption =
      (is_gain ? std::string(kPairs) : std::string()) + taken_together({&choice_->series, panels});
  if (chart.caption.empty()) chart.caption = "The share of the cells at or below each value.";
  chart.series = chart_dimension(&choice_->series, false);
  if (panels != nullptr) chart.facet = text_dimension(panels);
  chart.reference = reference();
  set_scale(chart.quantity, chart.points,
            [](const CurvePoint& point) { return std::pair(point.value, point.value); });
  return curve_chart(chart);
}

std::optional<PageChart> CampaignCharts::chart(ChartKind kind) {
  switch (kind) {
    case ChartKind::ratios:
      return has_pairs_ ? std::optional(grouped(kind)) : std::nullopt;
    case ChartKind::boxes:
    case ChartKind::lines:
      return grouped(kind);
    case ChartKind::heat:
      return heat();
    case ChartKind::ecdf:
      return curves();
  }
  return std::nullopt;
}

std::vector<PageChart> CampaignCharts::finish() {
  std::vector<PageChart> out;
  if (values_.largest() == 0 && values_.curves(1, 1).empty()) return out;  // no cell yet
  for (const ChartKind kind : choice_->charts) {
    if (auto drawn = chart(kind)) out.push_back(std::move(*drawn));
  }
  return out;
}

}  // namespace holdfast
