#include "holdfast/campaign_report.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"
#include "holdfast/summary_tables.hpp"

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

// Ratios of the baseline to another strategy, a row per value of one parameter (or one row over everything).
Result<Table> ratio_table(const Results& results, std::size_t metric, std::size_t other,
                          std::span<const std::string> by) {
  const Description& description = results.description();
  const std::string& baseline = description.strategies[*description.baseline];
  HOLDFAST_TRY(groups, group_ratios(results, description.metrics[metric].name, baseline,
                                    description.strategies[other], by));
  Table table;
  table.title = fmt::format("{}: {} / {}{}", description.metrics[metric].name, baseline,
                            description.strategies[other],
                            by.empty() ? ", over everything" : ", by " + by.front());
  if (!by.empty()) table.columns.push_back({by.front()});
  table.columns.push_back({"pairs"});
  table.columns.push_back({"geometric mean", Unit::none, 4});
  table.columns.push_back({"geometric sd", Unit::none, 4});
  table.columns.push_back({"95 % interval"});
  for (const RatioGroup& group : groups) {
    std::vector<Value> row;
    for (const Value& value : group.values) row.emplace_back(parameter_text(value));
    row.emplace_back(group.ratios.count());
    row.push_back(number_or_nothing(group.ratios.ratios().mean()));
    row.push_back(number_or_nothing(group.ratios.ratios().standard_deviation()));
    const auto interval = group.ratios.ratios().interval();
    row.emplace_back(
        interval ? fmt::format("{} to {}", to_text((*interval)[0], 4), to_text((*interval)[1], 4))
                 : "-");
    table.rows.push_back(std::move(row));
  }
  return table;
}

Status append_ratios(const Results& results, std::size_t metric, Answer& answer) {
  const Description& description = results.description();
  if (!description.baseline) return {};
  for (std::size_t other = 0; other < description.strategies.size(); ++other) {
    if (other == *description.baseline) continue;
    for (const Axis& axis : description.axes) {
      const std::string by[] = {axis.name};
      HOLDFAST_TRY(table, ratio_table(results, metric, other, by));
      answer.tables.push_back(std::move(table));
    }
    HOLDFAST_TRY(all, ratio_table(results, metric, other, {}));
    answer.tables.push_back(std::move(all));
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
  if (results.points() > 1) HOLDFAST_CHECK(append_ratios(results, metric, answer));
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
