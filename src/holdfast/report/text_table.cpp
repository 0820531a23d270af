#include "holdfast/report/text_table.hpp"

#include "holdfast/report/table_columns.hpp"
#include "holdfast/report/text_wrap.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kProse = 24;  // smallest width to which a column of sentences is narrowed
constexpr std::size_t kWord = 8;    // smallest width to which any column is narrowed
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kBestRow = "\x1b[32m";
constexpr std::string_view kNormal = "\x1b[0m";

struct TextColumn : TableColumn {
  std::size_t width = 0;
  bool is_prose = false;  // true: sentences, which may be wrapped
};

std::size_t total_width(const std::vector<TextColumn>& columns) {
  return std::accumulate(columns.begin(), columns.end(), kGap * (columns.size() - 1),
                         [](std::size_t sum, const TextColumn& c) { return sum + c.width; });
}

bool fits(const std::vector<TextColumn>& columns, std::size_t width) {
  return width == 0 || total_width(columns) <= width;
}

// Narrows the widest text column until the table fits or no text column can be narrowed further. Their cells then have more
// lines.
void narrow(std::vector<TextColumn>& columns, std::size_t width, bool only_prose,
            std::size_t least) {
  while (!fits(columns, width)) {
    TextColumn* widest = nullptr;
    for (TextColumn& column : columns) {
      if (column.is_number || column.width <= least || (only_prose && !column.is_prose)) continue;
      if (widest == nullptr || column.width > widest->width) widest = &column;
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

void append_padded(std::string& line, const std::string& shown, const TextColumn& column) {
  const std::size_t width = display_width(shown);
  const std::string blanks(column.width > width ? column.width - width : 0, ' ');
  line += column.is_number ? blanks + shown : shown + blanks;
}

// Appends one row, with several lines if a text is wider than its column.
template <class CellOf>
void append_row(std::string& out, const std::vector<TextColumn>& columns, CellOf cell_of) {
  std::vector<std::vector<std::string>> cells;
  std::size_t lines = 1;
  for (const TextColumn& column : columns) {
    cells.push_back(column.is_number ? std::vector<std::string>{cell_of(column)}
                                     : wrap(cell_of(column), column.width));
    lines = std::max(lines, cells.back().size());
  }
  for (std::size_t i = 0; i < lines; ++i) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) line.append(kGap, ' ');
      append_padded(line, i < cells[c].size() ? cells[c][i] : std::string(), columns[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
}

void measure(TextColumn& column) {
  column.width = display_width(column.title);
  for (const std::string& cell : column.cells) {
    column.width = std::max(column.width, display_width(cell));
    column.is_prose = column.is_prose || (!column.is_number && display_width(cell) > kProse &&
                                          cell.find(' ') != std::string::npos);
  }
}

void append_rows(std::string& out, const std::vector<TextColumn>& columns,
                 std::span<const std::size_t> best, const TextStyle& style) {
  std::string header;
  append_row(header, columns, [](const TextColumn& column) { return column.title; });
  header.pop_back();
  out += bold(header, style) + '\n';
  append_row(out, columns, [](const TextColumn& column) { return std::string(column.width, '-'); });
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
    std::string lines;
    append_row(lines, columns, [row](const TextColumn& column) { return column.cells[row]; });
    const bool is_marked = style.color && std::ranges::find(best, row) != best.end();
    if (is_marked) lines.insert(lines.size() - 1, kNormal);
    out += (is_marked ? std::string(kBestRow) : std::string()) + lines;
  }
}

// Returns the parts of a table that is too wide. Each has the columns that identify the rows (the texts before the first
// number) and as many others as fit, at least one.
std::vector<std::vector<TextColumn>> split(const std::vector<TextColumn>& columns,
                                           std::size_t width) {
  const auto first = std::find_if(columns.begin(), columns.end(),
                                  [](const TextColumn& column) { return column.is_number; });
  const std::vector<TextColumn> keys(columns.begin(), first);
  std::vector<std::vector<TextColumn>> parts;
  for (auto column = first; column != columns.end(); ++column) {
    const bool has_room =
        !parts.empty() && total_width(parts.back()) + kGap + column->width <= width;
    if (!has_room) parts.push_back(keys);
    parts.back().push_back(*column);
  }
  if (parts.empty()) parts.push_back(columns);
  return parts;
}

}  // namespace

std::string bold(std::string text, const TextStyle& style) {
  if (!style.color) return text;
  return std::string(kBold) + text + std::string(kNormal);
}

std::string to_text(const Table& table, const TextStyle& style) {
  std::vector<TextColumn> columns;
  for (TableColumn& column : table_columns(table)) columns.push_back({std::move(column)});
  for (TextColumn& column : columns) measure(column);
  if (columns.empty()) return {};
  std::string out;
  if (!table.title.empty()) out += bold(table.title, style) + '\n';
  std::vector<TextColumn> whole = columns;
  narrow(whole, style.width, true, kProse);
  if (fits(whole, style.width)) {
    append_rows(out, whole, table.best, style);
    return out;
  }
  std::vector<std::vector<TextColumn>> parts = split(columns, style.width);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += '\n';
    narrow(parts[i], style.width, true, kProse);
    narrow(parts[i], style.width, false, kWord);
    append_rows(out, parts[i], table.best, style);
  }
  return out;
}

}  // namespace holdfast
