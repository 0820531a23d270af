#include "holdfast/report/html_table.hpp"

#include "holdfast/report/table_columns.hpp"
#include "holdfast/report/xml_text.hpp"

#include <cstddef>
#include <vector>

namespace holdfast {
namespace {

void append_cell(std::string& out, const char* tag, const std::string& attributes,
                 const std::string& text) {
  out += std::string("<") + tag + attributes + ">" + xml_text(text) + "</" + tag + ">";
}

}  // namespace

std::string to_html(const Table& table) {
  const std::vector<TableColumn> columns = table_columns(table);
  std::size_t headers = 0;
  while (headers < columns.size() && !columns[headers].is_number) ++headers;
  headers = headers == columns.size() ? 1 : headers;

  std::string out = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                    xml_text(table.title.empty() ? "table" : table.title) + "\"><table>";
  if (!table.title.empty()) out += "<caption>" + xml_text(table.title) + "</caption>";
  out += "<thead><tr>";
  for (const TableColumn& column : columns) {
    append_cell(out, "th", column.is_number ? " scope=\"col\" class=\"n\"" : " scope=\"col\"",
                column.title);
  }
  out += "</tr></thead><tbody>\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    out += "<tr>";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_header = i < headers;
      append_cell(out, is_header ? "th" : "td",
                  is_header              ? " scope=\"row\""
                  : columns[i].is_number ? " class=\"n\""
                                         : "",
                  columns[i].cells[row]);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace holdfast
