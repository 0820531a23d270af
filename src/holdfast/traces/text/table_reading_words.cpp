#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/table_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What was read as what, in words and as a document.
namespace holdfast {
namespace {

bool is_csv(const Dialect& dialect) {
  return dialect.by == Dialect::By::delimiter && dialect.delimiter == ',';
}

std::string quoted_if_needed(std::string_view name) {
  const bool is_simple = name.find_first_of(" ,='\"()[]&$*?|;<>") == name.npos && !name.empty();
  return is_simple ? std::string(name) : fmt::format("'{}'", name);
}

}  // namespace

bool TableReading::is_plain() const {
  if (question.is_exact) return true;
  return is_csv(table.dialect) && in_words().empty() && question.is_empty();
}

std::vector<std::string> TableReading::unused() const {
  std::vector<std::string> out;
  for (std::size_t column = 0; column < table.names.size(); ++column) {
    const auto is_here = [&](const FieldReading& read) {
      return read.column == column || read.clock == column;
    };
    if (std::ranges::none_of(fields, is_here)) out.push_back(table.names[column]);
  }
  return out;
}

std::string TableReading::in_words() const {
  std::string out;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].column) continue;
    const std::string& name = table.names[*fields[i].column];
    const bool is_same = name == kind->fields[i].name && table.header_line > 0;
    if (is_same && fields[i].unit.empty() && fields[i].order == DayOrder::unknown &&
        !fields[i].clock) {
      continue;
    }
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", kind->fields[i].name,
                       table.header_line > 0 ? name : "column " + name);
    if (fields[i].clock) out += " and " + table.names[*fields[i].clock];
    if (!fields[i].unit.empty()) out += " in " + fields[i].unit;
    if (fields[i].order == DayOrder::day_first) out += ", day first";
    if (fields[i].order == DayOrder::month_first) out += ", month first";
  }
  return out;
}

std::string TableReading::head_line() const {
  std::vector<std::string> parts;
  if (std::string words = in_words(); !words.empty()) parts.push_back(std::move(words));
  if (!is_csv(table.dialect) && table.names.size() > 1)
    parts.push_back("cells by " + table.dialect.in_words());
  if (table.has_decimal_comma) parts.emplace_back("decimal commas");
  if (!question.where.empty()) parts.push_back("rows with " + question.where);
  return parts.empty() ? std::string(kind->records)
                       : fmt::format("{} ({})", kind->records, join(parts, "; "));
}

std::string TableReading::columns(bool has_offers) const {
  std::string out;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::optional<std::size_t> column = fields[i].column;
    for (const auto& [field, offered] : offers) {
      if (has_offers && field == i) column = offered;
    }
    if (!column) continue;
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", kind->fields[i].name,
                       quoted_if_needed(table.names[*column]));
  }
  return out;
}

Value TableReading::document() const {
  Value out = Value::object({{"records", kind->records}, {"columns", columns()}});
  std::string units;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].unit.empty()) continue;
    units += fmt::format("{}{}={}", units.empty() ? "" : ",", kind->fields[i].name, fields[i].unit);
  }
  if (!units.empty()) out.set("column_unit", units);
  for (const FieldReading& read : fields) {
    if (read.order == DayOrder::unknown) continue;
    out.set("dates", read.order == DayOrder::day_first ? "dmy" : "mdy");
  }
  if (!question.where.empty()) out.set("where", question.where);
  out.set("header",
          table.header_line == 0 ? Value("none") : Value(std::to_string(table.header_line)));
  out.set("cells", table.dialect.in_words());
  if (table.has_decimal_comma) out.set("decimal_comma", true);
  return out;
}

std::string remedy(const TableReading& reading) {
  const std::string out = reading.columns(true);
  if (out.empty()) return "FIELD=COLUMN,...";
  return out.find(' ') == out.npos ? out : fmt::format("\"{}\"", out);
}

}  // namespace holdfast
