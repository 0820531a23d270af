#include "holdfast/pages/reproduction_page.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/campaign/machine.hpp"
#include "holdfast/pages/reproduction_figure.hpp"
#include "holdfast/pages/reproduction_tables.hpp"
#include "holdfast/report/chart/compare.hpp"
#include "holdfast/reproduction/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
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

// Returns the last part of a pointer that is not a position: "slowdown" of /sweep/slowdown/4.
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

// Returns true for statistics in the unit of their metric; the others are shares, counts and ratios.
bool has_unit_of_metric(std::string_view statistic) {
  constexpr std::string_view kInstance = "instance-";
  if (statistic.starts_with(kInstance)) statistic.remove_prefix(kInstance.size());
  constexpr std::string_view kOwn[] = {"mean", "median",  "p10",     "p25", "p75",
                                       "p90",  "minimum", "maximum", "sd"};
  return std::find(std::begin(kOwn), std::end(kOwn), statistic) != std::end(kOwn);
}

// Returns the panel of a number. All numbers of a panel are the same statistic of the same metric.
std::string panel_of(const Row& row, const std::map<std::string, std::string>& units) {
  if (!row.command.empty()) return row.metric.empty() ? last_name(row.pointer) : row.metric;
  std::string text = row.metric;
  if (row.statistic != "mean") text = fmt::format("{}, {}", row.statistic, row.metric);
  if (!row.over.empty()) return fmt::format("{}, over {}", text, row.over);
  const auto unit = units.find(row.metric);
  const bool is_shown = unit != units.end() && has_unit_of_metric(row.statistic);
  return is_shown ? fmt::format("{} ({})", text, unit->second) : text;
}

// Returns labels that distinguish the rows, made from as few of their columns as possible.
std::vector<std::string> row_labels(const Reproduced& one) {
  const std::vector<Row>& rows = one.item.rows;
  std::vector<std::string> labels(rows.size());
  std::size_t known = 1;
  const auto extend = [&](const auto& text_of) {
    std::vector<std::string> longer = labels;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string text = text_of(rows[i]);
      if (!text.empty()) longer[i] += (longer[i].empty() ? "" : ", ") + text;
    }
    const std::size_t told = std::set<std::string>(longer.begin(), longer.end()).size();
    if (told <= known) return;
    known = told;
    labels = std::move(longer);
  };
  for (const KeyColumn& key : key_columns(one.item)) {
    // A number gets the name of its column: "spread 0.25".
    extend([&key](const Row& row) {
      const std::string text = key.text_of(row);
      // With a unit at most.
      const bool is_number = !text.empty() &&
                             std::isdigit(static_cast<unsigned char>(text[0])) != 0 &&
                             std::count(text.begin(), text.end(), ' ') <= 1;
      return in_words(is_number ? key.title + " " + text : text);
    });
  }
  extend([&](const Row& row) { return panel_of(row, one.units); });
  extend([](const Row& row) { return row.id; });
  extend([](const Row& row) { return row.place; });
  if (labels.size() == 1) labels.front() = panel_of(rows.front(), one.units);
  return labels;
}

std::string row_id(const Item& item, std::size_t row) {
  return fmt::format("{}-number-{}", id_of(item), row + 1);
}

std::string statement_id(const Item& item, std::size_t statement) {
  return fmt::format("{}-statement-{}", id_of(item), statement + 1);
}

bool is_off(Verdict verdict) {
  return verdict == Verdict::out || verdict == Verdict::missing || verdict == Verdict::known;
}

// Returns the comparison of a measured number with one of its two expected numbers, in per cent of the latter.
ComparedNumber compared(const std::optional<double>& expected,
                        const std::optional<reproduction::Tolerance>& tolerance,
                        const reproduction::Measured& measured) {
  ComparedNumber out;
  out.expected = expected.value_or(kAbsent);
  out.measured = measured.value.value_or(kAbsent);
  if (!expected || *expected == 0 || !measured.value) return out;
  const double percent = 100 / std::abs(*expected);
  out.difference = percent * (*measured.value - *expected);
  if (tolerance) out.allowed = percent * tolerance->around(*expected);
  if (measured.standard_error) out.error = percent * *measured.standard_error;
  return out;
}

// Returns the comparisons with the published number and the reference's number, as far as they exist.
std::vector<ComparedNumber> compared_numbers(const Row& row, const reproduction::Measured& measured,
                                             const std::string& label, double scale) {
  std::vector<ComparedNumber> out;
  const auto add = [&](const std::optional<double>& expected,
                       const std::optional<reproduction::Tolerance>& tolerance, Verdict verdict,
                       std::string name) {
    if (!expected) return;
    ComparedNumber number = compared(expected, tolerance, measured);
    number.label = std::move(name);
    number.verdict = std::string(text_of(verdict));
    number.judged = is_off(verdict)              ? Judged::out
                    : verdict == Verdict::unsure ? Judged::unsure
                    : verdict == Verdict::shown  ? Judged::no
                                                 : Judged::within;
    out.push_back(std::move(number));
  };
  const bool has_both = row.published && row.reference;
  add(row.published, row.published_tolerance, judge_by_published(row, measured, scale), label);
  add(row.reference, row.reference_tolerance, judge_by_reference(row, measured, scale),
      has_both ? label + " (reference)" : label);
  return out;
}

// Returns the difference in tolerances. A number that is not judged counts as nearest.
double distance_of(const ComparedNumber& number) {
  const double allowed = std::isfinite(number.allowed) ? number.allowed : 0;
  const double far = std::abs(number.difference);
  return number.judged == Judged::out ? std::numeric_limits<double>::infinity()
         : allowed > 0                ? far / allowed
                                      : 0;
}

// Keeps the numbers that are farthest from the expected ones if there are many, in the order of the table.
std::size_t keep_farthest(std::vector<ComparedNumber>& numbers) {
  constexpr std::size_t kMost = 50;
  if (numbers.size() <= kMost) return 0;
  std::vector<double> distances;
  for (const ComparedNumber& number : numbers) distances.push_back(distance_of(number));
  std::nth_element(distances.begin(), distances.begin() + kMost - 1, distances.end(),
                   std::greater<>());
  const double least = distances[kMost - 1];
  std::size_t room = kMost - static_cast<std::size_t>(std::count_if(
                                 numbers.begin(), numbers.end(), [least](const auto& number) {
                                   return distance_of(number) > least;
                                 }));
  const std::size_t before = numbers.size();
  std::erase_if(numbers, [&](const ComparedNumber& number) {
    const double distance = distance_of(number);
    if (distance != least) return distance < least;
    return room == 0 || room-- == 0;
  });
  return before - numbers.size();
}

CompareChart chart_of(const Reproduced& one, double scale) {
  CompareChart chart;
  chart.id = id_of(one.item) + "-chart";
  chart.title = "difference of what was measured from what was expected";
  const std::vector<std::string> labels = row_labels(one);
  std::size_t without = 0;
  for (std::size_t i = 0; i < one.item.rows.size(); ++i) {
    for (ComparedNumber& number :
         compared_numbers(one.item.rows[i], one.measured[i], labels[i], scale)) {
      if (std::isfinite(number.difference)) {
        chart.numbers.push_back(std::move(number));
      } else {
        ++without;
      }
    }
  }
  const std::size_t left_out = keep_farthest(chart.numbers);
  chart.caption = "Grey bands: the tolerance. Lines: two standard errors.";
  if (left_out > 0) {
    chart.caption += fmt::format(
        " The {} nearest of all to what was expected are in the table alone.", left_out);
  }
  if (without > 0) {
    chart.caption +=
        fmt::format(" {} without a percentage, of 0 or not measured, {} in the table alone.",
                    without, without == 1 ? "is" : "are");
  }
  return chart;
}

RowLinks ids_of(std::size_t count, const Item& item, std::string (*id)(const Item&, std::size_t)) {
  RowLinks links;
  for (std::size_t i = 0; i < count; ++i) links.ids.push_back(id(item, i));
  return links;
}

// Returns a table of all numbers and statements that do not hold, with links to their rows.
Table off_table(std::span<const Reproduced> items, double scale, RowLinks& links) {
  Table table{.title = "what is off",
              .columns = {{"item"},
                          {"number or statement"},
                          {"difference (%)", Unit::none, 3},
                          {"tolerance (%)", Unit::none, 3},
                          {"verdict"}}};
  links.column = 1;
  for (const Reproduced& one : items) {
    if (!one.not_run.empty()) continue;
    const std::vector<std::string> labels = row_labels(one);
    for (std::size_t i = 0; i < one.item.rows.size(); ++i) {
      if (!is_off(judge(one.item.rows[i], one.measured[i], scale))) continue;
      for (const ComparedNumber& number :
           compared_numbers(one.item.rows[i], one.measured[i], labels[i], scale)) {
        if (number.judged != Judged::out) continue;
        const auto cell = [](double value) {
          return std::isfinite(value) ? Value(value) : Value();
        };
        table.rows.push_back({one.item.id, number.label, cell(number.difference),
                              cell(number.allowed), number.verdict});
        links.targets.push_back(row_id(one.item, i));
      }
    }
    for (std::size_t i = 0; i < one.item.statements.size(); ++i) {
      const Verdict verdict = judge(one.item.statements[i], one.measured, scale);
      if (!is_off(verdict)) continue;
      table.rows.push_back(
          {one.item.id, one.item.statements[i].text, Value(), Value(), text_of(verdict)});
      links.targets.push_back(statement_id(one.item, i));
    }
  }
  return table;
}

// Returns the section with all items, each with a link to its own section.
PageSection overview(std::span<const Reproduced> items, double scale) {
  PageSection section{.id = "overview", .title = "Every table and figure"};
  section.tables.push_back(totals_table(items, scale));
  RowLinks links{.ids = {}, .targets = {}, .column = 1};
  for (const Reproduced& one : items) links.targets.push_back(id_of(one.item));
  section.links.push_back(std::move(links));
  return section;
}

std::string title_of(const Item& item) {
  return fmt::format("{}: {}", item.id, item.title);
}

// @param is_alone  true: the page is about this item alone, and its head says title and tally already
PageSection section_of(const Reproduced& one, double scale, bool is_alone) {
  const Item& item = one.item;
  PageSection section{.id = id_of(item),
                      .title = is_alone ? "Expected and measured" : title_of(item)};
  if (!one.not_run.empty()) {
    section.lines.push_back("Not run: " + one.not_run);
    section.lines.push_back("Source: " + item.source + ".");
    return section;
  }
  const std::string source = "Source: " + item.source + ".";
  section.lines.push_back(is_alone ? source : tally_text(tally_of(one, scale)) + ". " + source);
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
  if (auto figure = figure_chart(one.item.title, one.item, one.figure.panels, one.figure)) {
    figure->id = id_of(one.item) + "-figure";
    section.charts.push_back(std::move(*figure));
  }
  const CompareChart compared = chart_of(one, scale);
  if (!compared.numbers.empty()) section.charts.push_back(compare_chart(compared));
  if (!item.rows.empty()) {
    section.tables.push_back(numbers_table(item, one.measured, scale));
    section.links.push_back(ids_of(item.rows.size(), item, row_id));
  }
  if (!item.statements.empty()) {
    section.tables.push_back(statements_table(item, one.measured, scale));
    section.links.push_back(ids_of(item.statements.size(), item, statement_id));
  }
  return section;
}

}  // namespace

Page reproduction_page(std::span<const Reproduced> items, double scale,
                       const std::string& command) {
  Tally all;
  for (const Reproduced& one : items) all += tally_of(one, scale);
  Page page;
  const bool is_alone = items.size() == 1;
  page.title = is_alone ? title_of(items[0].item)
                        : fmt::format("{} published tables and figures, reproduced", items.size());
  page.kicker = fmt::format("holdfast {}, reproduction", version());
  page.command = command;
  page.answers.push_back(tally_text(all) + ".");
  if (scale < 1) {
    page.warnings.push_back(fmt::format(
        "Run at {} of the published size: every tolerance is at least four standard errors.",
        to_text(scale, 3)));
  }
  Table off = off_table(items, scale, page.answer_links);
  if (!off.rows.empty()) page.answer_table = std::move(off);
  if (!is_alone) page.sections.push_back(overview(items, scale));
  for (const Reproduced& one : items) page.sections.push_back(section_of(one, scale, is_alone));
  PageSection run{.id = "run", .title = "What was run"};
  run.facts = {{"command", command, true},
               {"scale", to_text(scale)},
               {"version", fmt::format("holdfast {}", version())},
               {"machine", machine_text()}};
  page.sections.push_back(std::move(run));
  return page;
}

}  // namespace holdfast
