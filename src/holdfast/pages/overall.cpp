#include "holdfast/pages/overall.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/executors/parallel.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/pages/gain.hpp"
#include "holdfast/pages/summary_tables.hpp"
#include "holdfast/report/number_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast {
namespace {

constexpr int kDigits = 5;
constexpr int kGainDigits = 3;
constexpr int kPossibleDigits = 4;

// Groups the digits of a number: "14 400".
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

// Rounds a gain to a tenth of a per cent, and turns -0.0 into 0.0.
double tenths(double percent) {
  return std::round(10 * percent) / 10 + 0.0;
}

// Returns "-0.3 to 1.2".
std::string range_of(double one, double other) {
  return fmt::format("{:.1f} to {:.1f}", std::min(one, other), std::max(one, other));
}

Value share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Overall::Overall(const Description& description, std::size_t metric)
    : description_(&description),
      metric_(metric),
      cells_(description.strategies.size() * description.metrics.size()),
      given_up_(description.strategies.size()) {}

const Overall::Cell& Overall::at(std::size_t strategy, std::size_t metric) const {
  return cells_[strategy * description_->metrics.size() + metric];
}

void Overall::add(const PointCells& cells) {
  const bool has_baseline = description_->baseline && !gave_up(cells, *description_->baseline);
  std::vector<char> is_left_out(cells.strategies());
  for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
    std::uint64_t failed = 0;
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      const auto cell = cells.cell(draw, strategy);
      if (cell && !cell->completed) ++failed;
    }
    given_up_[strategy].runs += failed;
    is_left_out[strategy] = failed > 0 ? 1 : 0;
    if (failed == 0) continue;
    ++given_up_[strategy].points;
    any_given_up_ = true;
  }
  total_ += cells.draws() * cells.strategies();
  done_ += cells.done();
  // Each column has sums of its own, so that threads change no order of additions.
  const std::size_t metrics = cells.metrics();
  parallel_for(cells.strategies() * metrics, cells.threads(), [&](std::size_t i) {
    if (is_left_out[i / metrics] == 0) add_column(cells, i / metrics, i % metrics, has_baseline);
  });
  finish_point();
}

void Overall::finish_point() {
  ++points_;
  for (Cell& cell : cells_) {
    if (cell.at_point.count() > 0) cell.points.add(cell.at_point.mean());
    cell.at_point = {};
  }
}

void Overall::add_column(const PointCells& cells, std::size_t strategy, std::size_t metric,
                         bool compare) {
  Cell& cell = cells_[strategy * description_->metrics.size() + metric];
  const Better better = description_->metrics[metric].better;
  const auto bound = is_bound(strategy) ? std::nullopt : bound_of(metric);
  compare = compare && *description_->baseline != strategy && better != Better::neither &&
            !is_bound(strategy);
  for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
    const auto value = cells.value(draw, strategy, metric);
    if (!value || !std::isfinite(*value)) continue;
    cell.mean.add(draw, *value);
    cell.at_point.add(*value);
    if (bound) {
      const auto part = part_reached(cells, draw, strategy, description_->metrics, metric, *bound);
      if (part) cell.reached.add(draw, *part);
    }
    if (!compare) continue;
    const auto baseline = cells.value(draw, *description_->baseline, metric);
    if (!baseline) continue;
    Compared& compared = cell.compared;
    ++compared.pairs;
    if (*value == *baseline) ++compared.equal;
    if (better == Better::lower ? *value < *baseline : *value > *baseline) ++compared.better;
    const double ratio = *baseline / *value;
    if (std::isfinite(ratio) && ratio > 0) compared.logarithms.add(draw, elementary::log(ratio));
  }
}

bool Overall::is_compared(std::size_t metric) const {
  return description_->baseline && description_->metrics[metric].better != Better::neither;
}

std::optional<BoundPlace> Overall::bound_of(std::size_t metric) const {
  return bound_on(description_->metrics, metric, description_->bounds);
}

bool Overall::is_bound(std::size_t strategy) const {
  return is_among(description_->bounds, strategy);
}

bool Overall::has_values(std::size_t metric) const {
  for (std::size_t strategy = 0; strategy < description_->strategies.size(); ++strategy) {
    if (at(strategy, metric).mean.count() > 0) return true;
  }
  return false;
}

bool Overall::is_constant(std::size_t metric) const {
  const Cell& first = at(0, metric);
  for (std::size_t strategy = 1; strategy < description_->strategies.size(); ++strategy) {
    const Cell& other = at(strategy, metric);
    const bool is_equal = other.mean.count() == first.mean.count() &&
                          other.mean.mean() == first.mean.mean() &&
                          other.points.minimum() == first.points.minimum() &&
                          other.points.maximum() == first.points.maximum();
    if (!is_equal) return false;
  }
  return description_->strategies.size() > 1;
}

// Counts the pairs that differ but have no ratio, so that an average of logarithms does not contain them.
std::uint64_t Overall::pairs_without_ratio() const {
  std::uint64_t out = 0;
  for (std::size_t strategy = 0; strategy < description_->strategies.size(); ++strategy) {
    const Compared& compared = at(strategy, metric_).compared;
    out += compared.pairs - static_cast<std::uint64_t>(compared.logarithms.count());
  }
  return out;
}

std::vector<std::string> Overall::warnings() const {
  std::vector<std::string> out;
  if (done_ < total_) {
    out.push_back(
        fmt::format("{} of {} cells are finished; what is missing may change every number.",
                    grouped(done_), grouped(total_)));
  }
  if (any_given_up_) out.push_back(given_up_text());
  if (const std::uint64_t pairs = pairs_without_ratio(); pairs > 0) {
    out.push_back(fmt::format(
        "Averages of gains in {} leave out {} pairs, which have no ratio because of a 0.",
        label_of(description_->metrics[metric_]), grouped(pairs)));
  }
  return out;
}

// Returns a warning about points at which runs were given up: the completed runs there are a biased sample, so their means are
// left out.
std::string Overall::given_up_text() const {
  std::uint64_t runs = 0;
  std::vector<std::string> parts;
  for (std::size_t strategy = 0; strategy < given_up_.size(); ++strategy) {
    if (given_up_[strategy].runs == 0) continue;
    runs += given_up_[strategy].runs;
    parts.push_back(fmt::format("{} by {}", grouped(given_up_[strategy].runs),
                                description_->strategies[strategy]));
    if (points_ > 1) {
      parts.back() += fmt::format(" at {} of {} points", given_up_[strategy].points, points_);
    }
  }
  return fmt::format("{} of {} runs were given up ({}): {} enters no mean, gain or picture{}.",
                     grouped(runs), grouped(done_), join(parts, ", "),
                     parts.size() == 1 ? "that strategy" : "such a strategy",
                     points_ > 1 ? " at those points" : "");
}

void Overall::append_row(Table& table, std::size_t strategy, std::size_t metric) const {
  const Cell& cell = at(strategy, metric);
  std::vector<Value> row{description_->strategies[strategy]};
  const auto finish = [&] {
    row.resize(table.columns.size());
    if (any_given_up_) row.back() = Value(grouped(given_up_[strategy].runs));
    table.rows.push_back(std::move(row));
  };
  if (cell.mean.count() == 0) return finish();
  const StoredMetric& told = description_->metrics[metric];
  const Compared& compared = cell.compared;
  if (is_compared(metric)) {
    const auto percent = [&told](double logarithm) {  // logarithm of baseline / strategy
      return tenths(100 * gain(told, elementary::exp(-logarithm)));
    };
    const bool has_ratio = compared.logarithms.count() > 0;
    row.push_back(has_ratio ? Value(percent(compared.logarithms.mean())) : Value());
    const auto bounds = compared.logarithms.interval();
    row.emplace_back(bounds ? range_of(percent((*bounds)[0]), percent((*bounds)[1])) : "-");
  }
  row.emplace_back(cell.mean.mean());
  const auto interval = cell.mean.interval();
  row.push_back(interval
                    ? Value(two_digits(((*interval)[1] - (*interval)[0]) / 2, cell.mean.mean()))
                    : Value());
  if (points_ > 1) {
    row.emplace_back(cell.points.minimum());
    row.emplace_back(cell.points.maximum());
  }
  if (bound_of(metric))
    row.push_back(cell.reached.count() > 0 ? Value(100 * cell.reached.mean()) : Value());
  if (is_compared(metric)) row.push_back(share(compared.better, compared.pairs));
  finish();
}

Table Overall::table_of(std::size_t metric_index) const {
  const StoredMetric& metric = description_->metrics[metric_index];
  const bool has_points = points_ > 1;
  Table table{.title = fmt::format(
                  "{}{}{}", label_of(metric),
                  metric.better == Better::neither ? ""
                  : metric.better == Better::lower ? ", lower is better"
                                                   : ", higher is better",
                  has_points ? fmt::format(": average of {} points and their range", points_) : ""),
              .columns = {{"strategy"}}};
  if (is_compared(metric_index)) {
    table.title += fmt::format(", and how much better than {}",
                               description_->strategies[*description_->baseline]);
    table.columns.push_back({"better by (%)", Unit::none, kGainDigits});
    table.columns.push_back({"95 % interval"});
  }
  table.columns.push_back({has_points ? "average" : "mean", unit_of(metric), kDigits});
  table.columns.push_back({"\u00b1 95 %", unit_of(metric), kDigits});
  if (has_points) {
    table.columns.push_back({"least point", unit_of(metric), kDigits});
    table.columns.push_back({"most", unit_of(metric), kDigits});
  }
  if (bound_of(metric_index))
    table.columns.push_back({"of what is possible (%)", Unit::none, kPossibleDigits});
  if (is_compared(metric_index)) table.columns.push_back({"better in (% of pairs)", Unit::none, 3});
  if (any_given_up_) table.columns.push_back({"runs given up"});
  for (std::size_t strategy = 0; strategy < description_->strategies.size(); ++strategy) {
    append_row(table, strategy, metric_index);
  }
  return table;
}

std::vector<Table> Overall::other_metrics() const {
  std::vector<Table> tables;
  Table constants{.title = "the same with every strategy",
                  .columns = {{"metric"}, {points_ > 1 ? "average" : "mean"}}};
  if (points_ > 1) constants.columns.insert(constants.columns.end(), {{"least point"}, {"most"}});
  for (std::size_t i = 0; i < description_->metrics.size(); ++i) {
    if (i == metric_ || !has_values(i)) continue;
    if (!is_constant(i)) {
      tables.push_back(table_of(i));
      continue;
    }
    const StoredMetric& metric = description_->metrics[i];
    const Cell& cell = at(0, i);
    auto& row = constants.rows.emplace_back(
        std::vector<Value>{label_of(metric), value_text(metric, cell.mean.mean())});
    if (points_ == 1) continue;
    row.emplace_back(value_text(metric, cell.points.minimum()));
    row.emplace_back(value_text(metric, cell.points.maximum()));
  }
  if (!constants.rows.empty()) tables.push_back(std::move(constants));
  return tables;
}

}  // namespace holdfast
