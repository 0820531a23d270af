#include "holdfast/pages/overall.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/pages/summary_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace holdfast {
namespace {

constexpr int kDigits = 5;
constexpr int kRatioDigits = 4;

// "12.3 % lower", of the logarithm of other / baseline.
std::string change_text(double logarithm) {
  const double percent = 100 * std::expm1(logarithm);
  return fmt::format("{} % {}", to_text(std::abs(percent), 3), percent < 0 ? "lower" : "higher");
}

// "12.1 to 12.5 %", or both with their direction where that differs.
std::string change_text(double low, double high) {
  if ((low < 0) != (high < 0)) return change_text(low) + " to " + change_text(high);
  const double near = std::min(std::abs(std::expm1(low)), std::abs(std::expm1(high)));
  const double far = std::max(std::abs(std::expm1(low)), std::abs(std::expm1(high)));
  return fmt::format("{} to {} %", to_text(100 * near, 3), to_text(100 * far, 3));
}

// 14 400 is read at a glance, 14400 is not.
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

Value share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Overall::Overall(const Description& description, std::size_t metric)
    : description_(&description),
      metric_(metric),
      cells_(description.strategies.size() * description.metrics.size()) {}

const Overall::Cell& Overall::at(std::size_t strategy, std::size_t metric) const {
  return cells_[strategy * description_->metrics.size() + metric];
}

void Overall::add(const PointCells& cells) {
  for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
    for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
      ++total_;
      const auto cell = cells.cell(draw, strategy);
      if (!cell) continue;
      ++done_;
      if (!cell->completed) ++failed_;
      for (std::size_t metric = 0; metric < cells.metrics(); ++metric) {
        add_value(cells, draw, strategy, metric);
      }
    }
  }
}

void Overall::add_value(const PointCells& cells, std::size_t draw, std::size_t strategy,
                        std::size_t metric) {
  const auto value = cells.value(draw, strategy, metric);
  if (!value || !std::isfinite(*value)) return;
  Cell& cell = cells_[strategy * description_->metrics.size() + metric];
  cell.mean.add(draw, *value);
  const Better better = description_->metrics[metric].better;
  if (!description_->baseline || *description_->baseline == strategy || better == Better::neither)
    return;
  const auto baseline = cells.value(draw, *description_->baseline, metric);
  if (!baseline) return;
  Compared& compared = cell.compared;
  ++compared.pairs;
  if (*value == *baseline) ++compared.equal;
  if (better == Better::lower ? *value < *baseline : *value > *baseline) ++compared.better;
  const double ratio = *baseline / *value;
  if (std::isfinite(ratio) && ratio > 0) compared.logarithms.add(draw, std::log(ratio));
}

bool Overall::is_compared(std::size_t metric) const {
  return description_->baseline && description_->metrics[metric].better != Better::neither;
}

bool Overall::has_values(std::size_t metric) const {
  for (std::size_t strategy = 0; strategy < description_->strategies.size(); ++strategy) {
    if (at(strategy, metric).mean.count() > 0) return true;
  }
  return false;
}

std::string Overall::sentence(std::size_t strategy) const {
  const Compared& compared = at(strategy, metric_).compared;
  if (compared.logarithms.count() == 0) return {};
  const StoredMetric& metric = description_->metrics[metric_];
  const std::string& name = description_->strategies[strategy];
  const std::string& baseline = description_->strategies[*description_->baseline];
  const double change = -compared.logarithms.mean();  // of other / baseline
  const auto interval = compared.logarithms.interval();
  std::string text;
  if (!interval || ((*interval)[0] <= 0 && (*interval)[1] >= 0)) {
    text = fmt::format("{}: no difference in {} from {} is shown, on average {}", name, metric.name,
                       baseline, change_text(change));
  } else {
    const bool is_better = (change < 0) == (metric.better == Better::lower);
    text = fmt::format("{} is {} than {}: {} {} on average", name, is_better ? "better" : "worse",
                       baseline, metric.name, change_text(change));
  }
  if (interval) {
    text += fmt::format(" (95 % interval {})", change_text(-(*interval)[1], -(*interval)[0]));
  }
  text += fmt::format(", better in {} % of {} pairs",
                      to_text(share(compared.better, compared.pairs).number(), 3),
                      grouped(compared.pairs));
  if (compared.equal > 0) {
    text += fmt::format(", the same in {} %",
                        to_text(share(compared.equal, compared.pairs).number(), 3));
  }
  const auto averaged = static_cast<std::uint64_t>(compared.logarithms.count());
  if (averaged < compared.pairs) {
    text += fmt::format("; the average leaves out {} of them, which have no ratio because of a 0",
                        grouped(compared.pairs - averaged));
  }
  return text + ".";
}

std::vector<std::string> Overall::sentences() const {
  std::vector<std::string> out;
  if (!description_->baseline) return out;
  for (std::size_t strategy = 0; strategy < description_->strategies.size(); ++strategy) {
    if (strategy == *description_->baseline) continue;
    if (std::string text = sentence(strategy); !text.empty()) out.push_back(std::move(text));
  }
  constexpr std::size_t kMost = 4;
  if (out.size() <= kMost) return out;
  return {fmt::format("The best of {} others: {}", out.size(), sentence(best_strategy()))};
}

std::size_t Overall::best_strategy() const {
  const bool is_less = description_->metrics[metric_].better == Better::lower;
  std::optional<std::size_t> best;
  double most = 0;
  for (std::size_t strategy = 0; strategy < description_->strategies.size(); ++strategy) {
    const ClusteredMean& logarithms = at(strategy, metric_).compared.logarithms;
    if (logarithms.count() == 0) continue;
    const double gain = is_less ? logarithms.mean() : -logarithms.mean();
    if (best && gain <= most) continue;
    best = strategy;
    most = gain;
  }
  return *best;
}

std::vector<std::string> Overall::warnings() const {
  std::vector<std::string> out;
  if (done_ < total_) {
    out.push_back(
        fmt::format("{} of {} cells are finished; what is missing may change every number.",
                    grouped(done_), grouped(total_)));
  }
  if (failed_ > 0) {
    out.push_back(fmt::format("{} of {} runs did not complete.", grouped(failed_), grouped(done_)));
  }
  return out;
}

void Overall::append_row(Table& table, std::size_t strategy, std::size_t metric) const {
  const Cell& cell = at(strategy, metric);
  std::vector<Value> row{description_->strategies[strategy]};
  if (cell.mean.count() == 0) {
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
    return;
  }
  row.emplace_back(cell.mean.mean());
  const auto interval = cell.mean.interval();
  row.push_back(interval ? Value(((*interval)[1] - (*interval)[0]) / 2) : Value());
  if (is_compared(metric)) {
    const Compared& compared = cell.compared;
    const bool has_ratio = compared.logarithms.count() > 0;
    row.push_back(has_ratio ? Value(std::exp(compared.logarithms.mean())) : Value());
    const auto bounds = compared.logarithms.interval();
    row.emplace_back(bounds ? interval_text({std::exp((*bounds)[0]), std::exp((*bounds)[1])})
                            : "-");
    row.push_back(share(compared.better, compared.pairs));
  }
  table.rows.push_back(std::move(row));
}

Table Overall::table_of(std::size_t metric_index) const {
  const StoredMetric& metric = description_->metrics[metric_index];
  Table table{.title = fmt::format("{}{}, over everything", title_of(metric),
                                   metric.better == Better::neither ? ""
                                   : metric.better == Better::lower ? ": lower is better"
                                                                    : ": higher is better"),
              .columns = {{"strategy"},
                          {"mean", unit_of(metric), kDigits},
                          {"95 %, +-", unit_of(metric), kDigits}}};
  if (is_compared(metric_index)) {
    table.columns.push_back(
        {description_->strategies[*description_->baseline] + " / it", Unit::none, kRatioDigits});
    table.columns.push_back({"95 % interval"});
    table.columns.push_back({"better (%)", Unit::none, 3});
  }
  for (std::size_t strategy = 0; strategy < description_->strategies.size(); ++strategy) {
    append_row(table, strategy, metric_index);
  }
  return table;
}

std::vector<Table> Overall::other_metrics() const {
  std::vector<Table> tables;
  for (std::size_t metric = 0; metric < description_->metrics.size(); ++metric) {
    if (metric != metric_ && has_values(metric)) tables.push_back(table_of(metric));
  }
  return tables;
}

}  // namespace holdfast
