#include "holdfast/inputs/table_options.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <vector>

namespace holdfast {
namespace {

struct TableRow {
  std::string_view option;
  std::string_view field;
  std::string_view summary;
  std::string_view value;
};
constexpr auto kTableRows = std::to_array<TableRow>({
    {"read_as", "format", "kind of the file, or its format (default: recognised from its contents)",
     "NAME"},
    {"columns", "columns",
     "table: columns of its fields, by name or number, such as node=Host,down=Failed",
     "FIELD=COLUMN,..."},
    {"column_unit", "column_unit", "table: units of times that are numbers, such as down=ms,run=h",
     "FIELD=UNIT,..."},
    {"where", "where",
     "table: read the rows with this text in a column, such as fuel=Solar, or fuel=~solar|wind "
     "with one of these as a part",
     "COLUMN=TEXT,..."},
    {"dates", "dates", "table: order in dates such as 03/01/2025, dmy or mdy", "dmy|mdy"},
    {"header", "header", "table: number of the line with the names of the columns, or none",
     "LINE|none"},
});

/// The rows with a prefix. A deque keeps the texts at their addresses.
struct PrefixedOptions {
  std::deque<std::string> texts;
  std::vector<Parameter> rows;

  PrefixedOptions(std::string_view prefix, std::string_view pointer) {
    for (const TableRow& row : kTableRows) {
      const auto kept = [&](std::string_view first, std::string_view second) {
        return std::string_view(texts.emplace_back(std::string(first) + std::string(second)));
      };
      rows.push_back({.name = kept(prefix, row.option),
                      .summary = row.summary,
                      .kind = Kind::text,
                      .pointer = kept(std::string(pointer) + "/", row.field),
                      .value_name = row.value});
    }
  }
};

}  // namespace

ReadAs read_read_as(ObjectReader& read) {
  ReadAs out;
  out.name = read.text_or("format", "");
  out.table = {.columns = read.text_or("columns", ""),
               .column_unit = read.text_or("column_unit", ""),
               .where = read.text_or("where", ""),
               .dates = read.text_or("dates", ""),
               .header = read.text_or("header", "")};
  return out;
}

bool is_about_reading(std::string_view where) {
  return std::ranges::find(kTableRows, where, &TableRow::field) != kTableRows.end();
}

std::span<const Parameter> table_options(std::string_view prefix, std::string_view pointer) {
  static std::map<std::string, PrefixedOptions, std::less<>> known;
  const auto found = known.find(prefix);
  if (found != known.end()) return found->second.rows;
  return known.try_emplace(std::string(prefix), prefix, pointer).first->second.rows;
}

}  // namespace holdfast
