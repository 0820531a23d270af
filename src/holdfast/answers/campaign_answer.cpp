#include "holdfast/answers/campaign_answer.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/campaign/marginals.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/campaign/typed_columns.hpp"
#include "holdfast/pages/gain.hpp"
#include "holdfast/pages/summary_tables.hpp"
#include "holdfast/pages/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
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

Status append_tables(const Results& results, std::size_t metric, Answer& answer) {
  const Description description = results.description().for_people();
  const std::size_t rows = results.points() * description.strategies.size();
  if (rows <= kMostRows) {
    CampaignTable table(description, metric);
    HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
      table.add(results.parameters(cells.position()),
                summarize(cells, description.metrics, description.baseline, description.bounds),
                rank(cells, description.metrics, metric, description.bounds));
      return {};
    }));
    answer.tables.push_back(table.table());
  }
  const auto swept = std::count_if(description.axes.begin(), description.axes.end(),
                                   [](const Axis& axis) { return axis.values.size() > 1; });
  const bool by_axis = rows > kMostRows || swept > 1;
  if (results.points() > 1) HOLDFAST_CHECK(append_gains(results, metric, by_axis, answer));
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

Result<Value> document_of(const Results& results) {
  const Description& description = results.description();
  Value document =
      Value::object({{"holdfast", Value::object({{"kind", "campaign-result"}, {"version", 1}})},
                     {"campaign", description.name},
                     {"domain", description.domain},
                     {"seed", description.seed},
                     {"instances", description.instances},
                     {"scenarios", description.scenarios}});
  Value& points = document.set("points", Value::array());
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    Value parameters = Value::object();
    const std::vector<Value> values = results.parameters(cells.position());
    for (std::size_t i = 0; i < values.size(); ++i)
      parameters.set(description.axes[i].name, values[i]);
    const PointSummary summary =
        summarize(cells, description.metrics, description.baseline, description.bounds);
    Value point =
        to_value(summary, description.strategies, description.metrics, description.bounds);
    Value row = Value::object({{"parameters", std::move(parameters)}});
    for (auto& [name, value] : *point.members()) row.set(name, std::move(value));
    points.push(std::move(row));
    return {};
  }));
  return document;
}

}  // namespace

Result<Answer> campaign_answer(const Results& results, const Domain* domain, AnswerFormat format) {
  Answer answer;
  HOLDFAST_TRY(metric, chosen_metric(results.description()));
  HOLDFAST_TRY(verdict, campaign_verdict(results, metric, domain));
  answer.headline = campaign_problem(results);
  answer.verdict = std::move(verdict);
  if (format == AnswerFormat::json) {
    HOLDFAST_TRY(document, document_of(results));
    answer.document = std::move(document);
    tell_problem(answer);
  } else if (format == AnswerFormat::csv) {
    HOLDFAST_TRY(data, data_of(results, domain));
    answer.data = std::move(data);
  } else {
    HOLDFAST_CHECK(append_tables(results, metric, answer));
  }
  return answer;
}

}  // namespace holdfast
