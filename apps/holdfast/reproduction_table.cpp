#include "holdfast/reproduction_table.hpp"

#include "holdfast/console.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/pages/reproduction_tables.hpp"
#include "holdfast/print.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

using reproduction::Item;
using reproduction::Measured;
using reproduction::Row;
using reproduction::Statement;

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
