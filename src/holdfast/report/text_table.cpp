#include "holdfast/report/text_table.hpp"

#include "holdfast/report/table_columns.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;  // a text column is not cut below this
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kNormal = "\x1b[0m";

struct TextColumn : TableColumn {
  std::size_t width = 0;
};

std::size_t total_width(const std::vector<TextColumn>& columns) {
  return std::accumulate(columns.begin(), columns.end(), kGap * (columns.size() - 1),
                         [](std::size_t sum, const TextColumn& c) { return sum + c.width; });
}

// Takes from the widest text column until the table fits, or no text column can give more.
void fit(std::vector<TextColumn>& columns, std::size_t width) {
  while (total_width(columns) > width) {
    TextColumn* widest = nullptr;
    for (TextColumn& column : columns) {
      if (column.is_number || column.width <= kNarrowest) continue;
      if (widest == nullptr || column.width > widest->width) widest = &column;
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

// The first `count` code points.
std::string_view head(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool starts_point = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (starts_point && count-- == 0) break;
  }
  return text.substr(0, at);
}

std::string cut(const std::string& text, std::size_t width) {
  return display_width(text) <= width ? text : std::string(head(text, width - 3)) + "...";
}

void append_padded(std::string& line, const std::string& cell, const TextColumn& column) {
  const std::string shown = cut(cell, column.width);
  const std::string blanks(column.width - display_width(shown), ' ');
  line += column.is_number ? blanks + shown : shown + blanks;
}

template <class CellOf>
void append_line(std::string& out, const std::vector<TextColumn>& columns, CellOf cell_of) {
  std::string line;
  for (const TextColumn& column : columns) {
    if (!line.empty()) line.append(kGap, ' ');
    append_padded(line, cell_of(column), column);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

std::string bold(std::string text, const TextStyle& style) {
  if (!style.color) return text;
  return std::string(kBold) + text + std::string(kNormal);
}

void append_rows(std::string& out, const std::vector<TextColumn>& columns, const TextStyle& style) {
  std::string header;
  append_line(header, columns, [](const TextColumn& column) { return column.title; });
  header.pop_back();
  out += bold(header, style) + '\n';
  append_line(out, columns,
              [](const TextColumn& column) { return std::string(column.width, '-'); });
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
    append_line(out, columns, [row](const TextColumn& column) { return column.cells[row]; });
  }
}

// Parts of a table that is too wide however its texts are cut: each has the columns that tell the rows apart (the texts
// before the first number) and as many others as fit, one at least.
std::vector<std::vector<TextColumn>> split(const std::vector<TextColumn>& columns,
                                           std::size_t width) {
  const auto first = std::find_if(columns.begin(), columns.end(),
                                  [](const TextColumn& column) { return column.is_number; });
  const std::vector<TextColumn> keys(columns.begin(), first);
  std::vector<std::vector<TextColumn>> parts;
  for (auto column = first; column != columns.end(); ++column) {
    const bool fits = !parts.empty() && total_width(parts.back()) + kGap + column->width <= width;
    if (!fits) parts.push_back(keys);
    parts.back().push_back(*column);
  }
  return parts;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string to_text(const Table& table, const TextStyle& style) {
  std::vector<TextColumn> columns;
  for (TableColumn& column : table_columns(table)) columns.push_back({std::move(column)});
  for (TextColumn& column : columns) {
    column.width = display_width(column.title);
    for (const std::string& cell : column.cells) {
      column.width = std::max(column.width, display_width(cell));
    }
  }
  if (columns.empty()) return {};
  std::string out;
  if (!table.title.empty()) out += bold(table.title, style) + '\n';
  std::vector<TextColumn> cut = columns;
  if (style.width > 0) fit(cut, style.width);
  if (style.width == 0 || total_width(cut) <= style.width) {
    append_rows(out, cut, style);
    return out;
  }
  std::vector<std::vector<TextColumn>> parts = split(columns, style.width);
  if (parts.empty()) parts.push_back(columns);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += '\n';
    fit(parts[i], style.width);
    append_rows(out, parts[i], style);
  }
  return out;
}

}  // namespace holdfast
