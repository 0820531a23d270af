#include "holdfast/report/plain_table.hpp"

#include "holdfast/base/csv_cell.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/report/table_columns.hpp"

#include <cmath>
#include <vector>

namespace holdfast {
namespace {

std::string title_with_unit(const Table::Column& column) {
  const std::string_view unit = symbol(column.unit);
  return unit.empty() ? column.title : column.title + " (" + std::string(unit) + ")";
}

std::string value_cell(const Value& cell) {
  if (cell.is_null() || (cell.is_real() && !std::isfinite(cell.number()))) return {};
  if (const std::string* text = cell.string()) return csv_cell(*text);
  if (const bool* flag = cell.boolean()) return *flag ? "1" : "0";
  return csv_cell(to_compact_json(cell));
}

// Returns a text for a cell of Markdown, which has one line and ends at a bar.
std::string markdown_cell(const std::string& text) {
  std::string out;
  for (const char c : to_markdown(std::string_view(text))) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

template <class CellOf>
std::string markdown_row(const std::vector<TableColumn>& columns, CellOf cell_of) {
  std::string line = "|";
  for (const TableColumn& column : columns) line += " " + cell_of(column) + " |";
  return line + "\n";
}

}  // namespace

std::string to_csv(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out += (i == 0 ? "" : ",") + csv_cell(title_with_unit(table.columns[i]));
  }
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) out += (i == 0 ? "" : ",") + value_cell(row[i]);
    out += '\n';
  }
  return out;
}

std::string to_markdown(const Table& table) {
  const std::vector<TableColumn> columns = table_columns(table);
  if (columns.empty()) return {};
  std::string out =
      table.title.empty() ? "" : "**" + to_markdown(std::string_view(table.title)) + "**\n\n";
  out +=
      markdown_row(columns, [](const TableColumn& column) { return markdown_cell(column.title); });
  out += markdown_row(columns, [](const TableColumn& column) {
    return std::string(column.is_number ? "--:" : "---");
  });
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    out += markdown_row(
        columns, [row](const TableColumn& column) { return markdown_cell(column.cells[row]); });
  }
  return out;
}

std::string to_markdown(std::string_view sentence) {
  std::string out;
  for (const char c : sentence) {
    if (std::string_view("\\`*_<>[]").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace holdfast
