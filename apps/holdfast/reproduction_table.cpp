#include "holdfast/reproduction_table.hpp"

#include "holdfast/base/text.hpp"
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
using reproduction::ItemSummary;
using reproduction::Measured;
using reproduction::Row;
using reproduction::Share;
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

Value share_document(const Share& share) {
  return Value::object({{"held", static_cast<std::int64_t>(share.held)},
                        {"judged", static_cast<std::int64_t>(share.judged)}});
}

Value share_document(const ItemSummary& summary) {
  return Value::object({{"published", share_document(summary.published)},
                        {"reference", share_document(summary.reference)},
                        {"statements", share_document(summary.statements)}});
}

// "12 of 13"; nothing where nothing is judged.
std::string share_text(const Share& share) {
  return share.judged == 0 ? "" : fmt::format("{} of {}", share.held, share.judged);
}

std::string percent_text(const Share& share) {
  const double percent = 100 * static_cast<double>(share.held) / static_cast<double>(share.judged);
  return fmt::format("{} ({} %)", share_text(share), to_text(percent, 4));
}

// The first reason, and where to read more.
std::string reason_text(const ItemSummary& summary, const std::string& decision) {
  std::string text = summary.reasons.empty() ? "" : summary.reasons.front();
  if (summary.reasons.size() > 1) text += fmt::format(" (and {} more)", summary.reasons.size() - 1);
  if (!text.empty() && !decision.empty()) text += fmt::format(" [decision {}]", decision);
  return text;
}

}  // namespace

void ReproductionOutput::add(const Item& item, std::span<const Measured> measured, double seconds) {
  for (std::size_t i = 0; i < item.rows.size(); ++i)
    tally_.add(judge(item.rows[i], measured[i], scale_));
  for (const Statement& statement : item.statements) tally_.add(judge(statement, measured, scale_));
  finished_.push_back(
      {item.id, item.source, item.decision, summarise(item, measured, scale_), seconds});
  if (json_)
    items_.push(document_of(item, measured, finished_.back()));
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

Value ReproductionOutput::document_of(const Item& item, std::span<const Measured> measured,
                                      const Finished& finished) const {
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
                        {"seconds", finished.seconds},
                        {"held", share_document(finished.summary)},
                        {"rows", std::move(rows)},
                        {"statements", std::move(statements)}});
}

void ReproductionOutput::print_totals() const {
  Table table{.title = "what was reproduced",
              .columns = {{"source"},
                          {"item"},
                          {"published numbers"},
                          {"reference numbers"},
                          {"statements"},
                          {"time", Unit::seconds, 3},
                          {"not reproduced"}}};
  ItemSummary total;
  for (const Finished& one : finished_) {
    total += one.summary;
    table.rows.push_back({one.source, one.id, share_text(one.summary.published),
                          share_text(one.summary.reference), share_text(one.summary.statements),
                          one.seconds, reason_text(one.summary, one.decision)});
  }
  print_line("", *console_);
  print_table(table, *console_);
  print_line("", *console_);
  const auto say = [&](const char* what, const Share& share) {
    if (share.judged > 0) print_line(fmt::format("{}: {}", what, percent_text(share)), *console_);
  };
  say("numbers within the tolerance of the published one", total.published);
  say("numbers within the tolerance of the reference", total.reference);
  say("statements that hold", total.statements);
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
    if (finished_.size() > 1) print_totals();
    print_line("", *console_);
    print_line(line, *console_);
  }
  if (tally_.out > 0) console_->answer_no();
}

}  // namespace holdfast::cli
