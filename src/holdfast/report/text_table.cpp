#include "holdfast/report/text_table.hpp"

#include "holdfast/report/number_column.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;  // a text column is not cut below this
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kNormal = "\x1b[0m";

struct TextColumn {
  std::string title;
  std::vector<std::string> cells;
  bool right = false;
  std::size_t width = 0;
};

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
  if (const std::string* text = cell.string()) return *text;
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

TextColumn number_column(const Table::Column& column, NumberColumn formatted) {
  TextColumn out{column.title, std::move(formatted.texts), true};
  if (!formatted.unit.empty()) out.title += " (" + formatted.unit + ")";
  for (std::string& cell : out.cells) {
    if (cell.empty()) cell = "-";
  }
  return out;
}

TextColumn texts(const Table& table, std::size_t index) {
  TextColumn out{table.columns[index].title, {}, false};
  out.cells.reserve(table.rows.size());
  for (const auto& row : table.rows) {
    out.cells.push_back(plain_text(row[index], table.columns[index]));
  }
  return out;
}

// Columns of one unit are formatted together, plain numbers each by itself.
std::vector<TextColumn> make_columns(const Table& table) {
  const std::size_t count = table.columns.size();
  std::vector<TextColumn> out(count);
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

std::size_t total_width(const std::vector<TextColumn>& columns) {
  return std::accumulate(columns.begin(), columns.end(), kGap * (columns.size() - 1),
                         [](std::size_t sum, const TextColumn& c) { return sum + c.width; });
}

// Takes from the widest text column until the table fits, or no text column can give more.
void fit(std::vector<TextColumn>& columns, std::size_t width) {
  while (total_width(columns) > width) {
    TextColumn* widest = nullptr;
    for (TextColumn& column : columns) {
      if (column.right || column.width <= kNarrowest) continue;
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
  line += column.right ? blanks + shown : shown + blanks;
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

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string to_text(const Table& table, const TextStyle& style) {
  std::vector<TextColumn> columns = make_columns(table);
  for (TextColumn& column : columns) {
    column.width = display_width(column.title);
    for (const std::string& cell : column.cells) {
      column.width = std::max(column.width, display_width(cell));
    }
  }
  if (columns.empty()) return {};
  if (style.width > 0) fit(columns, style.width);

  std::string out;
  if (!table.title.empty()) out += bold(table.title, style) + '\n';
  std::string header;
  append_line(header, columns, [](const TextColumn& column) { return column.title; });
  header.pop_back();
  out += bold(header, style) + '\n';
  append_line(out, columns,
              [](const TextColumn& column) { return std::string(column.width, '-'); });
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    append_line(out, columns, [row](const TextColumn& column) { return column.cells[row]; });
  }
  return out;
}

}  // namespace holdfast
