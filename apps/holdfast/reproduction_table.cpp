#include "holdfast/reproduction_table.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/pages/reproduction_tables.hpp"
#include "holdfast/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

using reproduction::Item;
using reproduction::ItemSummary;
using reproduction::Measured;
using reproduction::Reproduced;
using reproduction::Row;
using reproduction::Share;
using reproduction::Statement;
using reproduction::Tally;

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

Value share_document(const Share& share) {
  return Value::object({{"held", static_cast<std::int64_t>(share.held)},
                        {"judged", static_cast<std::int64_t>(share.judged)}});
}

Value document_of(const Reproduced& one, double scale) {
  const Item& item = one.item;
  Value out = Value::object({{"id", item.id}, {"title", item.title}, {"source", item.source}});
  if (!one.not_run.empty()) {
    out.set("not_run", one.not_run);
    return out;
  }
  const ItemSummary summary = summarise(one, scale);
  out.set("published", share_document(summary.published));
  out.set("reference", share_document(summary.reference));
  Value rows = Value::array();
  for (std::size_t i = 0; i < item.rows.size(); ++i)
    rows.push(row_document(item.rows[i], one.measured[i], scale));
  out.set("rows", std::move(rows));
  Value statements = Value::array();
  for (const Statement& statement : item.statements) {
    statements.push(Value::object(
        {{"text", statement.text}, {"verdict", text_of(judge(statement, one.measured, scale))}}));
  }
  out.set("statements", std::move(statements));
  return out;
}

std::string percent_text(const Share& share) {
  const double percent = 100 * static_cast<double>(share.held) / static_cast<double>(share.judged);
  return fmt::format("{} ({} %)", share_text(share), to_text(percent, 4));
}

}  // namespace

void ReproductionOutput::add(Reproduced one) {
  if (!one.not_run.empty())
    console_->warn(fmt::format("{} was not run: {}", one.item.id, one.not_run));
  else if (!json_)
    print(one);
  items_.push_back(std::move(one));
}

void ReproductionOutput::print(const Reproduced& one) {
  const Item& item = one.item;
  Answer answer;
  if (!item.rows.empty()) answer.tables.push_back(numbers_table(item, one.measured, scale_));
  if (!item.statements.empty())
    answer.tables.push_back(statements_table(item, one.measured, scale_));
  answer.lines.push_back("source: " + item.source);
  if (!item.note.empty()) answer.lines.push_back("note: " + item.note);
  for (const std::string& reason : known_reasons(item)) answer.lines.push_back("known: " + reason);
  if (!first_) print_line("", *console_);
  first_ = false;
  print_answer(answer, false, *console_);
}

void ReproductionOutput::print_document(const Tally& tally) const {
  const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  Value items = Value::array();
  for (const Reproduced& one : items_) items.push(document_of(one, scale_));
  cli::print_document(
      Value::object({{"holdfast", Value::object({{"kind", "reproduction"}, {"version", 1}})},
                     {"scale", scale_},
                     {"within", count(tally.within)},
                     {"out", count(tally.out)},
                     {"known", count(tally.known)},
                     {"items", std::move(items)}}),
      *console_);
}

void ReproductionOutput::print_totals() const {
  ItemSummary total;
  for (const Reproduced& one : items_) total += summarise(one, scale_);
  print_line("", *console_);
  print_table(totals_table(items_, scale_), *console_);
  print_line("", *console_);
  const auto say = [&](const char* what, const Share& share) {
    if (share.judged > 0) print_line(fmt::format("{}: {}", what, percent_text(share)), *console_);
  };
  say("numbers within the tolerance of the published one", total.published);
  say("numbers within the tolerance of the reference", total.reference);
  say("statements that hold", total.statements);
}

void ReproductionOutput::finish() {
  Tally tally;
  for (const Reproduced& one : items_) tally += tally_of(one, scale_);
  const auto not_run = std::count_if(items_.begin(), items_.end(),
                                     [](const Reproduced& one) { return !one.not_run.empty(); });
  if (json_) {
    print_document(tally);
  } else {
    if (items_.size() > 1) print_totals();
    std::string line = tally_text(tally);
    if (not_run > 0) line += fmt::format(", {} not run", not_run);
    print_line("", *console_);
    print_line(line, *console_);
  }
  if (tally.out > 0 || not_run > 0) console_->answer_no();
}

}  // namespace holdfast::cli
