#include "holdfast/pages/reproduction_tables.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/pages/table_cell.hpp"
#include "holdfast/report/number_column.hpp"
#include "holdfast/reproduction/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace holdfast {
namespace {

using reproduction::Item;
using reproduction::ItemSummary;
using reproduction::Measured;
using reproduction::Reproduced;
using reproduction::Row;
using reproduction::Share;
using reproduction::Statement;
using reproduction::Tally;

constexpr int kMeasuredDigits = 5;

// Returns true if a column differs between rows; a column with the same text in every row is left out.
template <class TextOf>
bool varies(const std::vector<Row>& rows, TextOf text_of) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Row& row) { return text_of(row) != text_of(rows.front()); });
}

// Returns the parameters by which rows filter, in order of appearance.
std::vector<std::string> filter_names(const Item& item) {
  std::vector<std::string> names;
  for (const Row& row : item.rows) {
    for (const auto& filter : row.filters) {
      const std::string name = filter.axis + filter.pointer;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::string filter_text(const Row& row, const std::string& name) {
  for (const auto& filter : row.filters) {
    if (filter.axis + filter.pointer == name) return filter.text;
  }
  return "all";
}

// Returns a time in whole seconds. Short times are not distinguished, because an item takes slightly more or less each time.
std::string time_text(double seconds) {
  return seconds < 10 ? "< 10 s" : fmt::format("{:.0f} s", seconds);
}

// Returns the first reason, and where to read more.
std::string reason_text(const Reproduced& one, const ItemSummary& summary) {
  if (!one.not_run.empty()) return "not run: " + one.not_run;
  if (summary.reasons.empty()) return "";
  std::string text = summary.reasons.front();
  if (summary.reasons.size() > 1) text += fmt::format(" (and {} more)", summary.reasons.size() - 1);
  if (!one.item.readings.empty()) text += fmt::format(" [readings: {}]", one.item.readings);
  return text;
}

struct NumberOf {
  const char* title;
  std::optional<double> (*of)(const Row&, const Measured&);
};
constexpr NumberOf kNumbers[] = {
    {"published", [](const Row& row, const Measured&) { return row.published; }},
    {"reference", [](const Row& row, const Measured&) { return row.reference; }},
    {"measured", [](const Row&, const Measured& measured) { return measured.value; }},
    {"s.e.",
     [](const Row&, const Measured& measured) {
       return measured.standard_error
                  ? std::optional(two_digits(*measured.standard_error, measured.value.value_or(0)))
                  : std::nullopt;
     }},
};

}  // namespace

std::vector<KeyColumn> key_columns(const Item& item) {
  std::vector<KeyColumn> all;
  all.push_back({"what", [](const Row& row) { return row.label; }});
  for (const std::string& name : filter_names(item)) {
    all.push_back({name, [name](const Row& row) { return filter_text(row, name); }});
  }
  for (const auto& [title, member] : {std::pair{"strategy", &Row::strategy},
                                      {"over", &Row::over},
                                      {"metric", &Row::metric},
                                      {"command", &Row::command},
                                      {"generate", &Row::generate},
                                      {"pointer", &Row::pointer},
                                      {"statistic", &Row::statistic}}) {
    all.push_back({title, [member = member](const Row& row) { return row.*member; }});
  }
  std::vector<KeyColumn> shown;
  for (const KeyColumn& column : all) {
    if (varies(item.rows, column.text_of)) shown.push_back(column);
  }
  if (!shown.empty() || item.rows.empty()) return shown;
  const auto first_said = std::find_if(all.begin(), all.end(), [&item](const KeyColumn& column) {
    return !column.text_of(item.rows.front()).empty();
  });
  shown.push_back(*first_said);
  return shown;
}

Table numbers_table(const Item& item, std::span<const Measured> measured, double scale) {
  Table table{.title = fmt::format("{}: {}", item.id, item.title)};
  const std::vector<KeyColumn> keys = key_columns(item);
  for (const KeyColumn& key : keys) table.columns.push_back({key.title});
  std::vector<NumberOf> shown;  // numbers that no row has are left out
  for (const NumberOf& number : kNumbers) {
    bool has_any = false;
    for (std::size_t i = 0; i < item.rows.size(); ++i) {
      has_any = has_any || number.of(item.rows[i], measured[i]).has_value();
    }
    if (!has_any) continue;
    shown.push_back(number);
    table.columns.push_back({number.title, Unit::none, kMeasuredDigits});
  }
  table.columns.push_back({"verdict"});
  for (std::size_t i = 0; i < item.rows.size(); ++i) {
    const Row& row = item.rows[i];
    std::vector<Value> cells;
    for (const KeyColumn& key : keys) cells.emplace_back(key.text_of(row));
    for (const NumberOf& number : shown) {
      cells.push_back(number_or_nothing(number.of(row, measured[i])));
    }
    cells.emplace_back(text_of(judge(row, measured[i], scale)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table statements_table(const Item& item, std::span<const Measured> measured, double scale) {
  Table table{.title = "statements",
              .columns = {{"statement"},
                          {"less", Unit::none, kMeasuredDigits},
                          {"than", Unit::none, kMeasuredDigits},
                          {"verdict"}}};
  for (const Statement& statement : item.statements) {
    table.rows.push_back({statement.text,
                          number_or_nothing(side_of(statement.less, measured).value),
                          number_or_nothing(side_of(statement.than, measured).value),
                          text_of(judge(statement, measured, scale))});
  }
  return table;
}

std::string tally_text(const Tally& tally) {
  const std::size_t checks = tally.within + tally.out + tally.known + tally.unsure;
  if (checks == 0) return "nothing to check";
  std::string text = fmt::format("{} of {} checks pass", tally.within, checks);
  if (tally.out > 0) text += fmt::format(", {} out of tolerance", tally.out);
  if (tally.known > 0) text += ", " + counted(tally.known, "known deviation");
  if (tally.unsure > 0) text += fmt::format(", {} of too few samples", tally.unsure);
  return text;
}

std::string share_text(const Share& share) {
  return share.judged == 0 ? "" : fmt::format("{} of {}", share.held, share.judged);
}

Table totals_table(std::span<const Reproduced> items, double scale) {
  Table table{.title = "what was reproduced",
              .columns = {{"source"},
                          {"item"},
                          {"published numbers"},
                          {"reference numbers"},
                          {"statements"},
                          {"time"},
                          {"not reproduced"}}};
  for (const Reproduced& one : items) {
    const ItemSummary summary = summarise(one, scale);
    table.rows.push_back({one.item.source, one.item.id, share_text(summary.published),
                          share_text(summary.reference), share_text(summary.statements),
                          time_text(one.seconds), reason_text(one, summary)});
  }
  return table;
}

std::vector<std::string> known_reasons(const Item& item) {
  std::vector<std::string> reasons;
  const auto note = [&reasons](const std::string& known) {
    if (!known.empty() && std::find(reasons.begin(), reasons.end(), known) == reasons.end()) {
      reasons.push_back(known);
    }
  };
  for (const Row& row : item.rows) note(row.known);
  for (const Statement& statement : item.statements) note(statement.known);
  return reasons;
}

}  // namespace holdfast
