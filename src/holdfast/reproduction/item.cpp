#include "holdfast/reproduction/item.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/reproduction/chart.hpp"
#include "holdfast/reproduction/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

namespace holdfast::reproduction {
namespace {

namespace fs = std::filesystem;

Result<std::size_t> find_row(const std::vector<Row>& rows, const std::string& id,
                             std::string where) {
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].id == id) return i;
    if (!rows[i].id.empty()) ids.push_back(rows[i].id);
  }
  return fail(ErrorCode::unknown_name, std::move(where),
              fmt::format("no row has the id {}; {}", in_quotes(id), suggestion(id, ids)));
}

Result<Statement::Side> read_side(const Value& value, const std::string& where,
                                  const std::vector<Row>& rows) {
  Statement::Side side;
  if (value.is_number()) {
    side.number = value.number();
    return side;
  }
  if (value.string() == nullptr) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected the id of a row or a number", value.described()));
  }
  HOLDFAST_TRY(row, find_row(rows, *value.string(), where));
  side.row = row;
  return side;
}

Result<Statement> read_statement(const Value& value, const std::string& where,
                                 const std::vector<Row>& rows) {
  Statement statement;
  ObjectReader read(value, where);
  statement.text = read.text("text");
  statement.margin = read.number_or("margin", 0);
  statement.known = read.text_or("known", "");
  const auto into = [&rows](Statement::Side& side) {
    return [&rows, &side](const Value& given, const std::string& at) -> Status {
      HOLDFAST_TRY(made, read_side(given, at, rows));
      side = made;
      return {};
    };
  };
  read.required("less", into(statement.less));
  read.required("than", into(statement.than));
  HOLDFAST_CHECK(read.finish());
  return statement;
}

Status check_rows(const Item& item) {
  for (const Row& row : item.rows) {
    if (row.command.empty() && item.campaign.empty()) {
      return fail(ErrorCode::bad_value, row.place,
                  "found neither a command here nor a campaign in item.toml");
    }
    if (!row.command.empty() && row.pointer.empty()) {
      return fail(ErrorCode::bad_value, row.place, "found a command without a pointer");
    }
    if (row.command.empty() && (row.metric.empty() || row.strategy.empty())) {
      return fail(ErrorCode::bad_value, row.place, "found no metric or no strategy, expected both");
    }
  }
  return {};
}

Result<Item> read_document_of(const Value& document, const fs::path& folder) {
  Item item;
  item.folder = folder;
  item.id = fs::path(folder).filename().string();
  ObjectReader read(document, "");
  item.title = read.text("title");
  item.source = read.text("source");
  item.note = read.text_or("note", "");
  item.readings = read.text_or("readings", "");
  const std::string campaign = read.text_or("campaign", "");
  if (!campaign.empty()) item.campaign = (folder / campaign).lexically_normal();
  Value shared = Value::object();
  read.with("columns", [&shared](const Value& value, const std::string& at) -> Status {
    if (value.members() == nullptr) {
      return fail(ErrorCode::bad_value, at,
                  fmt::format("found {}, expected a table", value.described()));
    }
    shared = value;
    return {};
  });
  read.with("chart", [&item](const Value& value, const std::string& at) -> Status {
    HOLDFAST_TRY(chart, read_chart(value, at));
    item.chart = std::move(chart);
    return {};
  });
  read.each_or_none("schedule", [&item](const Value& value, const std::string& at) -> Status {
    ObjectReader table(value, at);
    item.drawings.push_back({.title = table.text_or("title", "schedule"),
                             .generate = table.text_or("generate", ""),
                             .command = table.text("command")});
    return table.finish();
  });
  read.ignore("statement");
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_TRY(rows, read_published(folder / "published.csv", shared));
  item.rows = std::move(rows);
  HOLDFAST_CHECK(check_rows(item));
  ObjectReader again(document, "");
  again.each_or_none("statement", [&item](const Value& value, const std::string& at) -> Status {
    HOLDFAST_TRY(statement, read_statement(value, at, item.rows));
    item.statements.push_back(std::move(statement));
    return {};
  });
  for (const std::string_view name :
       {"title", "source", "note", "readings", "campaign", "columns", "chart", "schedule"})
    again.ignore(name);
  HOLDFAST_CHECK(again.finish());
  return item;
}

}  // namespace

double Tolerance::around(double expected) const {
  return relative ? size * std::abs(expected) : size;
}

Result<Tolerance> parse_tolerance(std::string_view text) {
  Tolerance tolerance;
  if (text.ends_with('%')) {
    tolerance.relative = true;
    text.remove_suffix(1);
  }
  HOLDFAST_TRY(size, parse_quantity(text, Unit::none));
  if (!(size >= 0)) {
    return fail(ErrorCode::bad_value, "",
                fmt::format("found {}, expected a tolerance of at least 0", text));
  }
  tolerance.size = tolerance.relative ? size / 100 : size;
  return tolerance;
}

Result<std::vector<Condition>> parse_conditions(std::string_view text) {
  std::vector<Condition> conditions;
  for (const std::string_view part : split(text, ';')) {
    const auto sign = part.find_first_of("<>");
    const bool is_below = sign != std::string_view::npos && part[sign] == '<';
    const std::size_t number = sign == std::string_view::npos ? sign : sign + (is_below ? 1 : 2);
    if (sign == std::string_view::npos || number > part.size() ||
        (!is_below && part.substr(sign, 2) != ">=")) {
      return fail(
          ErrorCode::bad_value, "",
          fmt::format("found {}, expected METRIC < NUMBER or METRIC >= NUMBER", in_quotes(part)));
    }
    HOLDFAST_TRY(bound, parse_quantity(trim(part.substr(number)), Unit::none));
    conditions.push_back({std::string(trim(part.substr(0, sign))), is_below, bound});
  }
  return conditions;
}

std::vector<fs::path> find_items(const fs::path& root) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root, error)) {
    if (fs::is_regular_file(entry.path() / "item.toml", error)) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

Result<Item> read_item(const fs::path& folder) {
  const fs::path file = folder / "item.toml";
  HOLDFAST_TRY(document, read_document(file));
  auto item = read_document_of(document, folder);
  if (item) return item;
  Error error = item.error();
  if (!error.where.empty() && !error.where.starts_with('/')) return fail(std::move(error));
  if (!error.where.empty()) error.where = place_in(document, error.where);
  return fail(in_file(file.string(), std::move(error)));
}

}  // namespace holdfast::reproduction
