#include "holdfast/report/html_table.hpp"

#include "holdfast/report/table_columns.hpp"
#include "holdfast/report/xml_text.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kShort = 28;  // texts up to this length are not broken into lines

void append_cell(std::string& out, const char* tag, const std::string& attributes,
                 const std::string& content) {
  out += std::string("<") + tag + attributes + ">" + content + "</" + tag + ">";
}

// Returns the class of a column: numbers are aligned to the right, and short texts stay on one line.
std::string class_of(const TableColumn& column) {
  if (column.is_number) return " class=\"n\"";
  const bool is_short = std::all_of(column.cells.begin(), column.cells.end(),
                                    [](const std::string& cell) { return cell.size() <= kShort; });
  return is_short ? " class=\"s\"" : "";
}

}  // namespace

std::string to_html(const Table& table, const RowLinks& links) {
  const std::vector<TableColumn> columns = table_columns(table);
  std::size_t headers = 0;
  while (headers < columns.size() && !columns[headers].is_number) ++headers;
  headers = headers == columns.size() ? 1 : headers;

  std::vector<std::string> classes;
  for (const TableColumn& column : columns) classes.push_back(class_of(column));
  // The title is not a caption, because it must stay in place when the table scrolls.
  const std::string name = xml_text(table.title.empty() ? "table" : table.title);
  std::string out = "<div class=\"tabled\">";
  if (!table.title.empty()) out += "<p class=\"caption\">" + name + "</p>";
  out += "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + name +
         "\"><table aria-label=\"" + name + "\">";
  out += "<thead><tr>";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    append_cell(out, "th", " scope=\"col\"" + classes[i], xml_text(columns[i].title));
  }
  out += "</tr></thead><tbody>\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    out += row < links.ids.size() ? "<tr id=\"" + xml_text(links.ids[row]) + "\">" : "<tr>";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_header = i < headers;
      const bool is_link = i == links.column && row < links.targets.size();
      std::string content = xml_text(columns[i].cells[row]);
      if (is_link)
        content = "<a href=\"#" + xml_text(links.targets[row]) + "\">" + content + "</a>";
      append_cell(out, is_header ? "th" : "td", (is_header ? " scope=\"row\"" : "") + classes[i],
                  content);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div></div>\n";
}

}  // namespace holdfast
