#include "holdfast/pages/reproduction_page.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/campaign/machine.hpp"
#include "holdfast/pages/reproduction_tables.hpp"
#include "holdfast/report/compare_chart.hpp"
#include "holdfast/report/group_chart.hpp"
#include "holdfast/reproduction/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

using reproduction::Item;
using reproduction::Reproduced;
using reproduction::Row;
using reproduction::Tally;
using reproduction::Verdict;

std::string id_of(const Item& item) {
  std::string id = item.id;
  std::replace_if(
      id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return id;
}

// The last part of a pointer that is no position: "slowdown" of /sweep/slowdown/4.
std::string last_name(std::string_view pointer) {
  while (!pointer.empty()) {
    const std::size_t slash = pointer.rfind('/');
    const std::string_view part = pointer.substr(slash + 1);
    if (part.find_first_not_of("0123456789") != std::string_view::npos || slash == 0)
      return std::string(part);
    pointer = pointer.substr(0, slash);
  }
  return "value";
}

// Statistics that are in the unit of their metric; the others are shares, counts and ratios.
bool has_unit_of_metric(std::string_view statistic) {
  constexpr std::string_view kInstance = "instance-";
  if (statistic.starts_with(kInstance)) statistic.remove_prefix(kInstance.size());
  constexpr std::string_view kOwn[] = {"mean", "median",  "p10",     "p25", "p75",
                                       "p90",  "minimum", "maximum", "sd"};
  return std::find(std::begin(kOwn), std::end(kOwn), statistic) != std::end(kOwn);
}

// Numbers of one panel are of one kind: the same statistic of the same metric.
std::string panel_of(const Row& row, const std::map<std::string, std::string>& units) {
  if (!row.command.empty()) return row.metric.empty() ? last_name(row.pointer) : row.metric;
  std::string text = row.metric;
  if (row.statistic != "mean") text = fmt::format("{}, {}", row.statistic, row.metric);
  if (!row.over.empty()) return fmt::format("{}, over {}", text, row.over);
  const auto unit = units.find(row.metric);
  const bool is_shown = unit != units.end() && has_unit_of_metric(row.statistic);
  return is_shown ? fmt::format("{} ({})", text, unit->second) : text;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

void add_curve(const reproduction::Curve& curve, std::size_t facet, GroupChart& chart) {
  const auto& names = chart.series.labels;
  const auto& positions = chart.x.numbers;
  const auto series = std::find(names.begin(), names.end(), curve.strategy) - names.begin();
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const auto x =
        std::lower_bound(positions.begin(), positions.end(), curve.x[i]) - positions.begin();
    chart.groups.push_back({.facet = facet,
                            .x = static_cast<std::size_t>(x),
                            .series = static_cast<std::size_t>(series),
                            .center = curve.mean[i],
                            .low = curve.p10[i],
                            .high = curve.p90[i]});
  }
}

std::string label_of(const Row& row, const std::vector<KeyColumn>& keys) {
  std::vector<std::string> parts;
  for (const KeyColumn& key : keys) {
    if (key.title == "metric" || key.title == "statistic" || key.title == "over" ||
        key.title == "pointer")
      continue;
    if (std::string text = key.text_of(row); !text.empty()) parts.push_back(std::move(text));
  }
  return parts.empty() ? row.id : join(parts, " ");
}

// What the figure draws, measured now.
std::optional<PageChart> figure_of(const Reproduced& one) {
  if (one.figure.panels.empty()) return std::nullopt;
  const reproduction::Chart& what = *one.item.chart;
  GroupChart chart;
  chart.id = id_of(one.item) + "-figure";
  chart.title = one.item.title;
  chart.caption = "Mean, and the band from the 10th to the 90th percentile, as measured now.";
  chart.quantity = {.title = with_unit(what.metric, one.figure.y_unit),
                    .is_logarithmic = what.is_y_logarithmic,
                    .band = "10th to 90th percentile"};
  chart.x = {.title = with_unit(what.x, one.figure.x_unit),
             .labels = {},
             .is_logarithmic = what.is_x_logarithmic};
  chart.series = {.title = "strategy", .labels = what.strategies};
  std::set<double> positions;
  for (const auto& panel : one.figure.panels)
    for (const auto& curve : panel.curves) positions.insert(curve.x.begin(), curve.x.end());
  if (positions.empty()) return std::nullopt;
  chart.x.numbers.assign(positions.begin(), positions.end());
  for (const double position : chart.x.numbers) chart.x.labels.push_back(to_text(position));
  if (one.figure.panels.size() > 1) chart.facet.title = "panel";
  for (std::size_t f = 0; f < one.figure.panels.size(); ++f) {
    if (one.figure.panels.size() > 1) chart.facet.labels.push_back(one.figure.panels[f].title);
    for (const auto& curve : one.figure.panels[f].curves) add_curve(curve, f, chart);
  }
  return line_chart(chart);
}

CompareChart chart_of(const Reproduced& one, double scale) {
  CompareChart chart;
  chart.id = id_of(one.item) + "-chart";
  chart.title = "published beside measured";
  chart.caption = "Lines: two standard errors of what was measured. " + one.item.source + ".";
  const std::vector<KeyColumn> keys = key_columns(one.item);
  std::map<std::string, std::size_t> sizes;
  for (const Row& row : one.item.rows) ++sizes[panel_of(row, one.units)];
  for (std::size_t i = 0; i < one.item.rows.size(); ++i) {
    const Row& row = one.item.rows[i];
    if (sizes[panel_of(row, one.units)] < 2) continue;  // the table says a single number as well
    const Verdict verdict = judge(row, one.measured[i], scale);
    chart.numbers.push_back({.panel = panel_of(row, one.units),
                             .label = label_of(row, keys),
                             .published = row.published.value_or(kAbsent),
                             .reference = row.reference.value_or(kAbsent),
                             .measured = one.measured[i].value.value_or(kAbsent),
                             .error = one.measured[i].standard_error.value_or(kAbsent),
                             .verdict = std::string(text_of(verdict)),
                             .is_out = verdict == Verdict::out});
  }
  return chart;
}

PageSection section_of(const Reproduced& one, double scale) {
  const Item& item = one.item;
  PageSection section{.id = id_of(item), .title = fmt::format("{}: {}", item.id, item.title)};
  if (!one.not_run.empty()) {
    section.lines.push_back("Not run: " + one.not_run);
    section.lines.push_back("Source: " + item.source + ".");
    return section;
  }
  section.lines.push_back(tally_text(tally_of(one, scale)) + ". Source: " + item.source + ".");
  if (!item.note.empty()) section.lines.push_back(item.note);
  for (const std::string& reason : known_reasons(item)) {
    section.lines.push_back("Known not to be reproduced: " + reason);
  }
  section.facts.push_back({"command", fmt::format("holdfast reproduce {}", item.id), true});
  for (std::size_t i = 0; i < one.pictures.size(); ++i) {
    const reproduction::Picture& picture = one.pictures[i];
    section.pictures.push_back({.id = fmt::format("{}-schedule-{}", id_of(item), i + 1),
                                .title = picture.title,
                                .command = picture.command,
                                .svg = picture.svg});
  }
  if (auto figure = figure_of(one)) section.charts.push_back(std::move(*figure));
  const CompareChart compared = chart_of(one, scale);
  if (!compared.numbers.empty()) section.charts.push_back(compare_chart(compared));
  if (!item.rows.empty()) section.tables.push_back(numbers_table(item, one.measured, scale));
  if (!item.statements.empty())
    section.tables.push_back(statements_table(item, one.measured, scale));
  return section;
}

}  // namespace

Page reproduction_page(std::span<const Reproduced> items, double scale,
                       const std::string& command) {
  Tally all;
  for (const Reproduced& one : items) all += tally_of(one, scale);
  Page page;
  page.title = items.size() == 1
                   ? fmt::format("{}: {}", items[0].item.id, items[0].item.title)
                   : fmt::format("{} published tables and figures, reproduced", items.size());
  page.kicker = fmt::format("holdfast {}, reproduction", version());
  page.command = command;
  page.answers.push_back(tally_text(all) + ".");
  if (scale < 1) {
    page.warnings.push_back(fmt::format(
        "Run at {} of the published size: every tolerance is at least four standard errors.",
        to_text(scale, 3)));
  }
  if (items.size() > 1) page.answer_table = totals_table(items, scale);
  for (const Reproduced& one : items) page.sections.push_back(section_of(one, scale));
  PageSection run{.id = "run", .title = "What was run"};
  run.facts = {{"command", command, true},
               {"scale", to_text(scale)},
               {"version", fmt::format("holdfast {}", version())},
               {"machine", machine_text()}};
  page.sections.push_back(std::move(run));
  return page;
}

}  // namespace holdfast
