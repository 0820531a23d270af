#include "holdfast/report/table_columns.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/report/number_column.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace holdfast {
namespace {

bool is_numeric(const Table& table, std::size_t column) {
  bool any = false;
  for (const auto& row : table.rows) {
    const Value& cell = row[column];
    if (cell.is_number())
      any = true;
    else if (!cell.is_null())
      return false;
  }
  return any;
}

std::string plain_text(const Value& cell, const Table::Column& column) {
  if (cell.is_null()) return "-";
  // A name with a newline must not begin a line of its own.
  if (const std::string* text = cell.string()) return join(split(printable(*text), '\n'), "\\x0a");
  if (const bool* flag = cell.boolean()) return *flag ? "yes" : "no";
  if (cell.is_number()) return format_quantity(cell.number(), column.unit);
  return to_compact_json(cell);
}

Numbers numbers_of(const Table& table, std::size_t index) {
  Numbers values;
  values.reserve(table.rows.size());
  for (const auto& row : table.rows) {
    values.push_back(row[index].is_null() ? std::nullopt : std::optional(row[index].number()));
  }
  return values;
}

TableColumn number_column(const Table::Column& column, NumberColumn formatted) {
  TableColumn out{column.title, std::move(formatted.texts), true};
  if (!formatted.unit.empty()) out.title += " (" + formatted.unit + ")";
  for (std::string& cell : out.cells) {
    if (cell.empty()) cell = "-";
  }
  return out;
}

TableColumn texts(const Table& table, std::size_t index) {
  TableColumn out{table.columns[index].title, {}, false};
  out.cells.reserve(table.rows.size());
  for (const auto& row : table.rows) {
    out.cells.push_back(plain_text(row[index], table.columns[index]));
  }
  return out;
}

}  // namespace

std::vector<TableColumn> table_columns(const Table& table) {
  const std::size_t count = table.columns.size();
  std::vector<TableColumn> out(count);
  std::vector<bool> done(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (done[i]) continue;
    if (!is_numeric(table, i)) {
      out[i] = texts(table, i);
      continue;
    }
    const Table::Column& first = table.columns[i];
    std::vector<std::size_t> together{i};
    std::vector<Numbers> values{numbers_of(table, i)};
    for (std::size_t j = i + 1; j < count && first.unit != Unit::none; ++j) {
      if (table.columns[j].unit != first.unit || !is_numeric(table, j)) continue;
      together.push_back(j);
      values.push_back(numbers_of(table, j));
    }
    std::vector<NumberColumn> formatted = format_columns(values, first.unit, first.digits);
    for (std::size_t k = 0; k < together.size(); ++k) {
      out[together[k]] = number_column(table.columns[together[k]], std::move(formatted[k]));
      done[together[k]] = true;
    }
  }
  return out;
}

}  // namespace holdfast
