#include "holdfast/reproduction_table.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

using reproduction::Item;
using reproduction::Measured;
using reproduction::Row;
using reproduction::Statement;

constexpr int kDigits = 5;

Value number_or_nothing(const std::optional<double>& value) {
  return value ? Value(*value) : Value();
}

// A column that says the same in every row says nothing.
template <class TextOf>
bool varies(const std::vector<Row>& rows, TextOf text_of) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Row& row) { return text_of(row) != text_of(rows.front()); });
}

// Parameters that rows filter by, in order of appearance.
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

/// A text column of the table: its title and what a row says there.
struct KeyColumn {
  std::string title;
  std::function<std::string(const Row&)> text_of;
};

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
  for (const char* title : {"published", "reference", "measured", "s.e."}) {
    table.columns.push_back({title, Unit::none, kDigits});
  }
  table.columns.push_back({"verdict"});
  for (std::size_t i = 0; i < item.rows.size(); ++i) {
    const Row& row = item.rows[i];
    std::vector<Value> cells;
    for (const KeyColumn& key : keys) cells.emplace_back(key.text_of(row));
    cells.push_back(number_or_nothing(row.published));
    cells.push_back(number_or_nothing(row.reference));
    cells.push_back(number_or_nothing(measured[i].value));
    cells.push_back(number_or_nothing(measured[i].standard_error));
    cells.emplace_back(text_of(judge(row, measured[i], scale)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table statements_table(const Item& item, std::span<const Measured> measured, double scale) {
  Table table{.title = "statements",
              .columns = {{"statement"},
                          {"less", Unit::none, kDigits},
                          {"than", Unit::none, kDigits},
                          {"verdict"}}};
  for (const Statement& statement : item.statements) {
    table.rows.push_back({statement.text,
                          number_or_nothing(side_of(statement.less, measured).value),
                          number_or_nothing(side_of(statement.than, measured).value),
                          text_of(judge(statement, measured, scale))});
  }
  return table;
}

// Each reason once, in the order of the rows.
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

Value row_document(const Row& row, const Measured& measured, double scale) {
  Value out = Value::object();
  const auto set_text = [&out](const char* name, const std::string& text) {
    if (!text.empty()) out.set(name, text);
  };
  const auto set_number = [&out](const char* name, const std::optional<double>& number) {
    if (number) out.set(name, *number);
  };
  set_text("id", row.id);
  set_text("label", row.label);
  for (const auto& filter : row.filters) out.set(filter.axis + filter.pointer, filter.text);
  set_text("strategy", row.strategy);
  set_text("over", row.over);
  set_text("metric", row.metric);
  set_text("command", row.command);
  if (row.command.empty()) set_text("statistic", row.statistic);
  set_number("published", row.published);
  set_number("reference", row.reference);
  set_number("measured", measured.value);
  set_number("standard_error", measured.standard_error);
  set_text("known", row.known);
  out.set("verdict", text_of(judge(row, measured, scale)));
  return out;
}

}  // namespace

void ReproductionOutput::add(const Item& item, std::span<const Measured> measured) {
  for (std::size_t i = 0; i < item.rows.size(); ++i)
    tally_.add(judge(item.rows[i], measured[i], scale_));
  for (const Statement& statement : item.statements) tally_.add(judge(statement, measured, scale_));
  if (json_)
    items_.push(document_of(item, measured));
  else
    print(item, measured);
}

void ReproductionOutput::print(const Item& item, std::span<const Measured> measured) {
  Answer answer;
  if (!item.rows.empty()) answer.tables.push_back(numbers_table(item, measured, scale_));
  if (!item.statements.empty()) answer.tables.push_back(statements_table(item, measured, scale_));
  answer.lines.push_back("source: " + item.source);
  if (!item.note.empty()) answer.lines.push_back("note: " + item.note);
  for (const std::string& reason : known_reasons(item)) answer.lines.push_back("known: " + reason);
  if (!first_) print_line("", *console_);
  first_ = false;
  print_answer(answer, false, *console_);
}

Value ReproductionOutput::document_of(const Item& item, std::span<const Measured> measured) const {
  Value rows = Value::array();
  for (std::size_t i = 0; i < item.rows.size(); ++i) {
    rows.push(row_document(item.rows[i], measured[i], scale_));
  }
  Value statements = Value::array();
  for (const Statement& statement : item.statements) {
    statements.push(Value::object(
        {{"text", statement.text}, {"verdict", text_of(judge(statement, measured, scale_))}}));
  }
  return Value::object({{"id", item.id},
                        {"title", item.title},
                        {"source", item.source},
                        {"rows", std::move(rows)},
                        {"statements", std::move(statements)}});
}

void ReproductionOutput::finish() {
  const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  if (json_) {
    print_document(
        Value::object({{"holdfast", Value::object({{"kind", "reproduction"}, {"version", 1}})},
                       {"scale", scale_},
                       {"within", count(tally_.within)},
                       {"out", count(tally_.out)},
                       {"known", count(tally_.known)},
                       {"items", items_}}),
        *console_);
  } else {
    std::string line = fmt::format("{} within, {} out of tolerance", tally_.within, tally_.out);
    if (tally_.known > 0) line += fmt::format(", {} known not to be reproduced", tally_.known);
    print_line("", *console_);
    print_line(line, *console_);
  }
  if (tally_.out > 0) console_->answer_no();
}

}  // namespace holdfast::cli
