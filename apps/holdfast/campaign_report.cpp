#include "holdfast/campaign_report.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/campaign/marginals.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/console.hpp"
#include "holdfast/pages/summary_tables.hpp"
#include "holdfast/print.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace holdfast::cli {
namespace {

constexpr std::size_t kMostRows = 60;  // a longer table is no answer; the ratios by parameter are

// [report] metric, else the first.
Result<std::size_t> chosen_metric(const Description& description) {
  const Value* name = description.report.find("metric");
  if (name == nullptr || name->string() == nullptr) return std::size_t{0};
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < description.metrics.size(); ++i) {
    if (description.metrics[i].name == *name->string()) return i;
    names.push_back(description.metrics[i].name);
  }
  return fail(
      ErrorCode::unknown_name, "[report] metric",
      fmt::format("unknown metric '{}'; {}", *name->string(), suggestion(*name->string(), names)));
}

Value number_or_nothing(const std::optional<double>& value) {
  return value ? Value(*value) : Value();
}

// The marginals of one swept parameter, or the one over everything.
Table ratio_table(const Description& description, std::string title,
                  const std::vector<Marginal>& marginals, std::optional<std::size_t> axis) {
  Table table{.title = std::move(title)};
  if (axis) table.columns.push_back({description.axes[*axis].name});
  table.columns.push_back({"pairs"});
  table.columns.push_back({"geometric mean", Unit::none, 4});
  table.columns.push_back({"geometric sd", Unit::none, 4});
  table.columns.push_back({"95 % interval"});
  for (const Marginal& marginal : marginals) {
    if (marginal.axis != axis) continue;
    std::vector<Value> row;
    if (axis) row.emplace_back(parameter_text(description.axes[*axis].values[marginal.value]));
    row.emplace_back(marginal.pairs);
    row.push_back(number_or_nothing(marginal.geometric_mean));
    row.push_back(number_or_nothing(marginal.geometric_sd));
    row.emplace_back(marginal.interval ? interval_text(*marginal.interval) : "-");
    table.rows.push_back(std::move(row));
  }
  return table;
}

// @param by_axis  false where a table of the points has said it already
Status append_ratios(const Results& results, std::size_t metric, bool by_axis, Answer& answer) {
  const Description& description = results.description();
  if (!description.baseline) return {};
  for (std::size_t other = 0; other < description.strategies.size(); ++other) {
    if (other == *description.baseline) continue;
    HOLDFAST_TRY(marginals, ratio_marginals(results, metric, other));
    const std::string title =
        fmt::format("{}: {} / {}", description.metrics[metric].name,
                    description.strategies[*description.baseline], description.strategies[other]);
    for (std::size_t axis = 0; by_axis && axis < description.axes.size(); ++axis) {
      answer.tables.push_back(
          ratio_table(description, title + ", by " + description.axes[axis].name, marginals, axis));
    }
    answer.tables.push_back(
        ratio_table(description, title + ", over everything", marginals, std::nullopt));
  }
  return {};
}

Result<Answer> tables_of(const Results& results) {
  const Description& description = results.description();
  HOLDFAST_TRY(metric, chosen_metric(description));
  Answer answer;
  const std::size_t rows = results.points() * description.strategies.size();
  if (rows <= kMostRows) {
    CampaignTable table(description, metric);
    HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
      table.add(results.parameters(cells.position()),
                summarize(cells, description.metrics, description.baseline));
      return {};
    }));
    answer.tables.push_back(table.table());
  }
  const bool by_axis = rows > kMostRows || description.axes.size() > 1;
  if (results.points() > 1) HOLDFAST_CHECK(append_ratios(results, metric, by_axis, answer));
  return answer;
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
    const PointSummary summary = summarize(cells, description.metrics, description.baseline);
    Value point = to_value(summary, description.strategies, description.metrics);
    Value row = Value::object({{"parameters", std::move(parameters)}});
    for (auto& [name, value] : *point.members()) row.set(name, std::move(value));
    points.push(std::move(row));
    return {};
  }));
  return document;
}

}  // namespace

Status print_campaign(const Results& results, bool json, Console& console) {
  if (json) {
    HOLDFAST_TRY(document, document_of(results));
    print_document(document, console);
    return {};
  }
  HOLDFAST_TRY(answer, tables_of(results));
  print_answer(answer, false, console);
  return {};
}

}  // namespace holdfast::cli
