#include "holdfast/answers/reproduction/reproduction_answer.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/pages/reproduction_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
  if (measured.draws > 0) out.set("draws", static_cast<std::int64_t>(measured.draws));
  set_text("known", row.known);
  out.set("verdict", text_of(judge(row, measured, scale)));
  return out;
}

Value share_document(const Share& share) {
  return Value::object({{"held", static_cast<std::int64_t>(share.held)},
                        {"judged", static_cast<std::int64_t>(share.judged)}});
}

Value item_document(const Reproduced& one, double scale) {
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

// Returns the shares of numbers and statements that hold, one line each.
std::vector<std::string> shares_lines(std::span<const Reproduced> items, double scale) {
  ItemSummary total;
  for (const Reproduced& one : items) total += summarise(one, scale);
  std::vector<std::string> out;
  const auto say = [&out](const char* what, const Share& share) {
    if (share.judged > 0) out.push_back(fmt::format("{}: {}", what, percent_text(share)));
  };
  say("numbers within the tolerance of the published one", total.published);
  say("numbers within the tolerance of the reference", total.reference);
  say("statements that hold", total.statements);
  return out;
}

std::int64_t count_not_run(std::span<const Reproduced> items) {
  return std::ranges::count_if(items, [](const Reproduced& one) { return !one.not_run.empty(); });
}

// Returns how many numbers are measured from a part of their draws; nothing if none is.
std::vector<std::string> draws_lines(std::span<const Reproduced> items) {
  std::size_t all = 0, partial = 0;
  for (const Reproduced& one : items) {
    for (const Measured& measured : one.measured) {
      all += measured.draws > 0 ? 1 : 0;
      partial += measured.missing > 0 ? 1 : 0;
    }
  }
  if (partial == 0) return {};
  return {fmt::format(
      "{} of {} numbers are measured from some of the draws, enough for their verdicts; "
      "--scale 1 takes all",
      partial, all)};
}

Tally tally_of_all(std::span<const Reproduced> items, double scale) {
  Tally tally;
  for (const Reproduced& one : items) tally += tally_of(one, scale);
  return tally;
}

Value document_of(std::span<const Reproduced> items, const Tally& tally, double scale) {
  const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  Value list = Value::array();
  for (const Reproduced& one : items) list.push(item_document(one, scale));
  return Value::object({{"holdfast", Value::object({{"kind", "reproduction"}, {"version", 1}})},
                        {"scale", scale},
                        {"within", count(tally.within)},
                        {"out", count(tally.out)},
                        {"known", count(tally.known)},
                        {"unsure", count(tally.unsure)},
                        {"items", std::move(list)}});
}

}  // namespace

Answer reproduction_answer(const Reproduced& one, double scale) {
  const Item& item = one.item;
  Answer answer;
  if (!item.rows.empty()) answer.tables.push_back(numbers_table(item, one.measured, scale));
  if (!item.statements.empty()) {
    answer.tables.push_back(statements_table(item, one.measured, scale));
  }
  answer.lines.push_back("source: " + item.source);
  if (!item.note.empty()) answer.lines.push_back("note: " + item.note);
  for (const std::string& reason : known_reasons(item)) answer.lines.push_back("known: " + reason);
  return answer;
}

Answer reproduction_closing(std::span<const Reproduced> items, double scale) {
  Answer answer;
  if (items.size() > 1) {
    answer.tables.push_back(totals_table(items, scale));
    answer.lines = shares_lines(items, scale);
  }
  const auto draws = draws_lines(items);
  answer.lines.insert(answer.lines.end(), draws.begin(), draws.end());
  const Tally tally = tally_of_all(items, scale);
  std::string counts = tally_text(tally);
  const std::int64_t not_run = count_not_run(items);
  if (not_run > 0) counts += fmt::format(", {} not run", not_run);
  answer.lines.push_back(std::move(counts));
  answer.document = document_of(items, tally, scale);
  answer.is_no = tally.out > 0 || not_run > 0;
  return answer;
}

}  // namespace holdfast
