#include "holdfast/answers/campaign/campaign_answer.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/campaign/marginals.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/campaign/typed_columns.hpp"
#include "holdfast/pages/gain.hpp"
#include "holdfast/pages/summary_tables.hpp"
#include "holdfast/pages/verdict.hpp"
#include "holdfast/report/text_wrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kMostRows = 60;  // if there are more, only the ratios by parameter are shown

// Returns the metric that [report] names, otherwise the first one.
Result<std::size_t> chosen_metric(const Description& description) {
  const Value* name = description.report.find("metric");
  if (name == nullptr || name->string() == nullptr) return std::size_t{0};
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < description.metrics.size(); ++i) {
    if (description.metrics[i].name == *name->string()) return i;
    names.push_back(description.metrics[i].name);
  }
  return fail(ErrorCode::unknown_name, "[report] metric",
              fmt::format("unknown metric {}; {}", in_quotes(*name->string()),
                          suggestion(*name->string(), names)));
}

// Returns a table of the marginals of one swept parameter, or of the one over all points.
Table gain_table(const Description& description, const StoredMetric& metric, std::string title,
                 const std::vector<Marginal>& marginals, std::optional<std::size_t> axis) {
  Table table{.title = std::move(title)};
  const bool has_left_out = std::any_of(marginals.begin(), marginals.end(),
                                        [](const Marginal& one) { return one.left_out > 0; });
  if (axis) table.columns.push_back({description.axes[*axis].name});
  table.columns.push_back({"pairs"});
  table.columns.push_back({"better by (%)", Unit::none, 3});
  table.columns.push_back({"95 % interval"});
  if (has_left_out) table.columns.push_back({"points left out"});
  for (const Marginal& marginal : marginals) {
    if (marginal.axis != axis) continue;
    std::vector<Value> row;
    if (axis) row.emplace_back(parameter_text(description.axes[*axis].values[marginal.value]));
    row.emplace_back(marginal.pairs);
    row.push_back(gain_cell(metric, marginal.geometric_mean));
    row.push_back(gain_interval_cell(metric, marginal.interval));
    if (has_left_out) row.emplace_back(marginal.left_out);
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Appends the tables of gains. @param by_axis  false if a table of the points already shows the gains by parameter
Status append_gains(const Results& results, std::size_t metric, bool by_axis, Answer& answer) {
  const Description description = results.description().for_people();
  if (!description.baseline) return {};
  for (std::size_t other = 0; other < description.strategies.size(); ++other) {
    if (other == *description.baseline || is_among(description.bounds, other)) continue;
    HOLDFAST_TRY(marginals, ratio_marginals(results, metric, other));
    const StoredMetric& told = description.metrics[metric];
    const std::string title =
        fmt::format("{}: how much better {} is than {}", label_of(told),
                    description.strategies[other], description.strategies[*description.baseline]);
    for (std::size_t axis = 0; by_axis && axis < description.axes.size(); ++axis) {
      if (description.axes[axis].values.size() < 2) continue;
      answer.tables.push_back(gain_table(
          description, told, title + ", by " + description.axes[axis].name, marginals, axis));
    }
    answer.tables.push_back(
        gain_table(description, told, title + ", over everything", marginals, std::nullopt));
  }
  return {};
}

// Returns every statistic of every point, for programs.
Result<Table> data_of(const Results& results, const Domain* domain) {
  const Description& description = results.description();
  const std::vector<TypedColumn> columns = typed_columns(
      description.axes, domain == nullptr ? std::span<const Parameter>() : domain->fields);
  std::vector<std::string> names;
  for (const TypedColumn& column : columns) names.push_back(column.name);
  StatisticsTable table(std::move(names), description.strategies, description.metrics);
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    std::vector<Value> key;
    const std::vector<Value> parameters = results.parameters(cells.position());
    for (const TypedColumn& column : columns) key.push_back(column.value(parameters));
    table.add(key, summarize(cells, description.metrics, std::nullopt, description.bounds));
    return {};
  }));
  return table.table();
}

Value header_of(const Description& description) {
  return Value::object({{"holdfast", Value::object({{"kind", "campaign-result"}, {"version", 1}})},
                        {"campaign", description.name},
                        {"domain", description.domain},
                        {"seed", description.seed},
                        {"instances", description.instances},
                        {"scenarios", description.scenarios}});
}

Value point_of(const Description& description, const std::vector<Value>& values,
               const PointSummary& summary) {
  Value parameters = Value::object();
  for (std::size_t i = 0; i < values.size(); ++i)
    parameters.set(description.axes[i].name, values[i]);
  Value point = to_value(summary, description.strategies, description.metrics, description.bounds);
  Value row = Value::object({{"parameters", std::move(parameters)}});
  for (auto& [name, value] : *point.members()) row.set(name, std::move(value));
  return row;
}

/// The strategies that are best at points, with the points at which they are.
class BestStrategies {
 public:
  BestStrategies(const Description& description, std::size_t metric)
      : description_{&description},
        is_ranked_{description.metrics[metric].better != Better::neither},
        columns_{parameter_columns(description)},
        points_(description.strategies.size()) {}

  void add(std::span<const Value> parameters, const Ranking& ranking) {
    ++count_;
    points_[ranking.order.front()].push_back(
        columns_.size() == 1 ? columns_.front().text(parameters) : std::string());
  }

  // "best: next-step at platform_age 0d, 10d; young-daly at 30d", or their numbers if there are many points. Empty if there is
  // nothing to choose.
  [[nodiscard]] std::string line() const {
    constexpr std::size_t kMostNamed = 6;
    if (!is_ranked_ || count_ < 2 || points_.size() - description_->bounds.size() < 2) return {};
    const bool is_named = columns_.size() == 1 && count_ <= kMostNamed;
    std::vector<std::size_t> order(points_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(),
                             [this](std::size_t i) { return points_[i].size(); });
    std::vector<std::string> parts;
    for (const std::size_t i : order) {
      if (points_[i].empty()) continue;
      parts.push_back(fmt::format("{} at {}", description_->strategies[i],
                                  is_named
                                      ? join(points_[i], ", ")
                                      : fmt::format("{} of {} points", points_[i].size(), count_)));
    }
    return fmt::format("best{}: {}",
                       is_named ? " by " + columns_.front().title(*description_) : std::string(),
                       join(parts, "; "));
  }

 private:
  const Description* description_;
  bool is_ranked_;
  std::vector<ParameterColumn> columns_;
  std::vector<std::vector<std::string>> points_;  // by strategy
  std::size_t count_ = 0;
};

// Leaves as many sentences as fit on a screen with the rest, and says how many others there are.
void shorten(Answer& answer) {
  constexpr std::size_t kMostLines = 10;  // beside the line that names the page
  constexpr std::size_t kWidth = 80;
  const auto lines_of = [](const std::string& text) { return wrap(text, kWidth).size(); };
  std::size_t used = lines_of(answer.headline);
  for (const std::string& line : answer.lines) used += 1 + lines_of(line);
  std::size_t kept = 0;
  for (; kept < answer.verdict.size(); ++kept) {
    used += lines_of(answer.verdict[kept]);
    if (used > kMostLines && kept > 0) break;
  }
  if (kept == answer.verdict.size()) return;
  const std::size_t rest = answer.verdict.size() - kept;
  answer.verdict.resize(kept);
  answer.verdict.push_back(counted(rest, "more sentence") + " with --full");
}

// Reads the points once, for the table of them and for the document.
Status append_points(const Results& results, std::size_t metric, const WantedParts& wanted,
                     Answer& answer) {
  const Description& description = results.description();
  const Description shown = description.for_people();
  const std::size_t rows = results.points() * description.strategies.size();
  std::optional<CampaignTable> table;
  const bool is_brief = wanted.text && wanted.is_brief;
  if (wanted.text && !is_brief && rows <= kMostRows) table.emplace(shown, metric);
  BestStrategies best(shown, metric);
  Value points = Value::array();
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    const std::vector<Value> values = results.parameters(cells.position());
    const PointSummary summary =
        summarize(cells, description.metrics, description.baseline, description.bounds);
    if (table || is_brief) {
      const Ranking ranking = rank(cells, description.metrics, metric, description.bounds);
      if (table) table->add(values, summary, ranking);
      if (is_brief) best.add(values, ranking);
    }
    if (wanted.document) points.push(point_of(description, values, summary));
    return {};
  }));
  if (wanted.document) {
    answer.document = header_of(description);
    answer.document.set("points", std::move(points));
  }
  if (is_brief) {
    if (std::string line = best.line(); !line.empty()) answer.lines.push_back(std::move(line));
    shorten(answer);
  }
  if (!wanted.text || is_brief) return {};
  if (table) answer.tables.push_back(table->table());
  const auto swept = std::count_if(description.axes.begin(), description.axes.end(),
                                   [](const Axis& axis) { return axis.values.size() > 1; });
  const bool by_axis = rows > kMostRows || swept > 1;
  return results.points() > 1 ? append_gains(results, metric, by_axis, answer) : Status();
}

}  // namespace

Result<Answer> campaign_answer(const Results& results, const Domain* domain,
                               const WantedParts& wanted) {
  Answer answer;
  HOLDFAST_TRY(metric, chosen_metric(results.description()));
  HOLDFAST_TRY(verdict, campaign_verdict(results, metric, domain));
  answer.headline = campaign_problem(results);
  answer.verdict = std::move(verdict);
  if (wanted.data) {
    HOLDFAST_TRY(data, data_of(results, domain));
    answer.data = std::move(data);
  }
  if (wanted.text || wanted.document)
    HOLDFAST_CHECK(append_points(results, metric, wanted, answer));
  return answer;
}

}  // namespace holdfast
