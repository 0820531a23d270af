#include "holdfast/pages/reproduction_page.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/campaign/machine.hpp"
#include "holdfast/pages/reproduction_tables.hpp"
#include "holdfast/report/compare_chart.hpp"
#include "holdfast/reproduction/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <utility>

namespace holdfast {
namespace {

using reproduction::Item;
using reproduction::Measured;
using reproduction::Row;
using reproduction::Tally;
using reproduction::Verdict;

Tally tally_of(const ReproducedItem& one, double scale) {
  Tally tally;
  for (std::size_t i = 0; i < one.item.rows.size(); ++i) {
    tally.add(judge(one.item.rows[i], one.measured[i], scale));
  }
  for (const auto& statement : one.item.statements)
    tally.add(judge(statement, one.measured, scale));
  return tally;
}

std::string tally_text(const Tally& tally) {
  std::string text = fmt::format("{} within, {} out of tolerance", tally.within, tally.out);
  if (tally.known > 0) text += fmt::format(", {} known not to be reproduced", tally.known);
  return text;
}

std::string id_of(const Item& item) {
  std::string id = item.id;
  std::replace_if(
      id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return id;
}

// Numbers of one panel are of one kind: the same statistic of the same metric.
std::string panel_of(const Row& row) {
  if (!row.command.empty()) return row.pointer;
  std::string text = row.metric;
  if (row.statistic != "mean") text = fmt::format("{}, {}", row.statistic, row.metric);
  return row.over.empty() ? text : fmt::format("{}, over {}", text, row.over);
}

std::string label_of(const Row& row, const std::vector<KeyColumn>& keys) {
  std::vector<std::string> parts;
  for (const KeyColumn& key : keys) {
    if (key.title == "metric" || key.title == "statistic" || key.title == "over") continue;
    if (std::string text = key.text_of(row); !text.empty()) parts.push_back(std::move(text));
  }
  return parts.empty() ? row.id : join(parts, " ");
}

CompareChart chart_of(const ReproducedItem& one, double scale) {
  CompareChart chart;
  chart.id = id_of(one.item) + "-chart";
  chart.title = one.item.title;
  chart.caption = "Lines: two standard errors of what was measured. " + one.item.source + ".";
  const std::vector<KeyColumn> keys = key_columns(one.item);
  for (std::size_t i = 0; i < one.item.rows.size(); ++i) {
    const Row& row = one.item.rows[i];
    const Verdict verdict = judge(row, one.measured[i], scale);
    chart.numbers.push_back({.panel = panel_of(row),
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

PageSection section_of(const ReproducedItem& one, double scale) {
  const Item& item = one.item;
  PageSection section{.id = id_of(item), .title = fmt::format("{}: {}", item.id, item.title)};
  section.lines.push_back(tally_text(tally_of(one, scale)) + ". Source: " + item.source + ".");
  if (!item.note.empty()) section.lines.push_back(item.note);
  for (const std::string& reason : known_reasons(item)) {
    section.lines.push_back("Known not to be reproduced: " + reason);
  }
  section.facts.push_back({"command", fmt::format("holdfast reproduce {}", item.id), true});
  if (!item.rows.empty()) section.charts.push_back(compare_chart(chart_of(one, scale)));
  if (!item.rows.empty()) section.tables.push_back(numbers_table(item, one.measured, scale));
  if (!item.statements.empty())
    section.tables.push_back(statements_table(item, one.measured, scale));
  return section;
}

Table overview(std::span<const ReproducedItem> items, double scale) {
  Table table{.title = "items",
              .columns = {{"id"}, {"what"}, {"source"}, {"within"}, {"out"}, {"known"}}};
  const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  for (const ReproducedItem& one : items) {
    const Tally tally = tally_of(one, scale);
    table.rows.push_back({one.item.id, one.item.title, one.item.source, count(tally.within),
                          count(tally.out), count(tally.known)});
  }
  return table;
}

}  // namespace

Page reproduction_page(std::span<const ReproducedItem> items, double scale,
                       const std::string& command) {
  Tally all;
  for (const ReproducedItem& one : items) {
    const Tally tally = tally_of(one, scale);
    all.within += tally.within;
    all.out += tally.out;
    all.known += tally.known;
  }
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
  if (items.size() > 1) page.answer_table = overview(items, scale);
  for (const ReproducedItem& one : items) page.sections.push_back(section_of(one, scale));
  PageSection run{.id = "run", .title = "What was run"};
  run.facts = {{"command", command, true},
               {"scale", to_text(scale)},
               {"version", fmt::format("holdfast {}", version())},
               {"machine", machine_text()}};
  page.sections.push_back(std::move(run));
  return page;
}

}  // namespace holdfast
