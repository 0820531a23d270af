#pragma once

#include "holdfast/report/chart/frame.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// What charts of series over facets share.
namespace holdfast {

/// The range of the values that an axis has to show.
class Reach {
 public:
  explicit Reach(bool is_logarithmic) : is_logarithmic_{is_logarithmic} {}

  /// Notes a value; what the axis cannot show is left out.
  void add(double value);
  /// Returns the range with room on both sides. @param room  part of the axis
  [[nodiscard]] ChartRange range(double room) const;
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

 private:
  bool is_logarithmic_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

/// Returns a line that is not filled. @param path  value of d
[[nodiscard]] std::string stroke_svg(std::string_view path, std::string_view color, double width,
                                     std::string_view dash = "");

/// Values along x, which increases.
struct Along {
  std::vector<double> x = {};
  std::vector<double> y = {};
  bool is_step = false;  ///< y holds from its x to the next one
};

/// Returns the path of a line, with a gap where the axes cannot show a value. Its numbers are x and y of each value in turn.
[[nodiscard]] std::string line_path(const Along& line, const FrameView& view);
/// Returns an area between a line and other values at the same x, in a light colour; nothing if it has no place.
[[nodiscard]] std::string band_svg(const Along& low, const std::vector<double>& high,
                                   const FrameView& view, std::string_view color);

/// Returns a chart with the rows of its data, but without a drawing. Statistics that no group has are left out.
[[nodiscard]] PageChart data_of(const GroupChart& chart);

/// The sample of a series in the legend.
enum class Swatch { none, symbol, line, line_with_symbol };
[[nodiscard]] std::string swatch_svg(Swatch swatch, const SeriesStyle& style, double x, double y);

/// The common parts of charts with series: a frame, a legend, and the rows of one view.
template <class Chart, class Row>
class SeriesPicture {
 public:
  SeriesPicture(const Chart& chart, const std::vector<Row>& rows, const ChartPaper& paper,
                Swatch swatch)
      : chart_{chart}, rows_{rows}, paper_{paper}, facets_{present(chart.facet, &Row::facet)} {
    framed_.title = chart.title;
    framed_.caption = chart.caption;
    framed_.facet_title = chart.facet.title;
    for (const std::size_t facet : facets_) framed_.facets.push_back(chart.facet.labels[facet]);
    if (!facets_.empty()) framed_.height = 200;
    if (swatch == Swatch::none) return;
    framed_.legend_title = chart.series.title;
    for (const std::size_t series : present(chart.series, &Row::series)) {
      const auto sample = [style = style_of(series), swatch](double x, double y) {
        return swatch_svg(swatch, style, x, y);
      };
      framed_.legend.push_back({chart.series.labels[series], sample, series});
    }
  }

  FramedChart& framed() { return framed_; }
  [[nodiscard]] const ChartInk& ink() const { return paper_.ink(); }
  [[nodiscard]] std::string draw() const { return holdfast::draw(framed_, paper_); }

  [[nodiscard]] SeriesStyle style_of(std::size_t series) const {
    return {paper_, series, chart_.reference};
  }
  /// Returns the rows of a view by series, in their order.
  [[nodiscard]] std::vector<std::vector<const Row*>> rows_of(std::size_t view) const {
    std::vector<std::vector<const Row*>> out(std::max<std::size_t>(1, chart_.series.labels.size()));
    for (const Row& row : rows_) {
      if (facets_.empty() || row.facet == facets_[view]) out[row.series].push_back(&row);
    }
    return out;
  }
  /// Returns the position of a row in the chart's data.
  [[nodiscard]] std::size_t position_of(const Row* row) const {
    return static_cast<std::size_t>(row - rows_.data());
  }

 private:
  // Returns the positions of the labels that have a row.
  template <class Dimension>
  [[nodiscard]] std::vector<std::size_t> present(const Dimension& dimension,
                                                 std::size_t Row::*label) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < dimension.labels.size(); ++i) {
      const bool is_there =
          std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) { return row.*label == i; });
      if (is_there) out.push_back(i);
    }
    return out;
  }

  const Chart& chart_;
  const std::vector<Row>& rows_;
  const ChartPaper& paper_;
  std::vector<std::size_t> facets_;  ///< facets that have rows
  FramedChart framed_;
};

}  // namespace holdfast
