#include "holdfast/answers/trace/facts.hpp"

#include "holdfast/base/text.hpp"

#include <utility>

namespace holdfast {

QuantityTable::QuantityTable() {
  table_.title = "quantities";
  table_.columns = {{.title = "what"}, {.title = "count"}};
  for (const char* title : {"minimum", "p10", "median", "mean", "p90", "maximum"}) {
    table_.columns.push_back({.title = title});
  }
}

void QuantityTable::add(const char* name, const std::string& title,
                        const std::vector<double>& values, Unit unit) {
  add(name, title, summarize(values), unit);
}

void QuantityTable::add(const char* name, const std::string& title,
                        const std::optional<Summary>& summary, Unit unit) {
  if (!summary) return;
  Value document = Value::object({{"count", summary->count}});
  std::vector<Value> row = {title, summary->count};
  const std::pair<const char*, double> numbers[] = {
      {"minimum", summary->minimum}, {"p10", summary->p10}, {"median", summary->median},
      {"mean", summary->mean},       {"p90", summary->p90}, {"maximum", summary->maximum}};
  for (const auto& [number, value] : numbers) {
    document.set(number, value);
    // The cells are texts, because seconds and years are in one column.
    row.emplace_back(unit == Unit::seconds ? format_duration(value) : to_text(value, 6));
  }
  document_.set(name, std::move(document));
  table_.rows.push_back(std::move(row));
}

void QuantityTable::finish(Answer& answer) {
  answer.document.set("quantities", std::move(document_));
  if (!table_.rows.empty()) answer.tables.push_back(std::move(table_));
}

void add_oddities(const std::vector<Oddity>& oddities, Answer& answer) {
  Value list = Value::array();
  Table table{.title = "unusual entries, and how they are treated",
              .columns = {{.title = "count"}, {.title = "entries"}, {.title = "treatment"}}};
  for (const Oddity& oddity : oddities) {
    list.push(
        Value::object({{"what", oddity.what}, {"count", oddity.count}, {"action", oddity.action}}));
    table.rows.push_back({oddity.count, oddity.what, oddity.action});
  }
  answer.document.set("oddities", std::move(list));
  if (!table.rows.empty()) answer.tables.push_back(std::move(table));
}

void add_fact(Answer& answer, const char* name, const char* title, const Value& value,
              const std::string& text) {
  answer.document.set(name, value);
  answer.tables.front().rows.push_back({title, text});
}

}  // namespace holdfast
