#include "holdfast/reproduction/item.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/reproduction/chart.hpp"
#include "holdfast/reproduction/published.hpp"
#include "holdfast/reproduction/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

namespace holdfast::reproduction {
namespace {

namespace fs = std::filesystem;

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

Status is_table(const Value& value, const std::string& at) {
  if (value.members() != nullptr) return {};
  return fail(ErrorCode::bad_value, at,
              fmt::format("found {}, expected a table", value.described()));
}

// Puts the sets of a variant beside those that all variants have.
Result<Value> with_sets(const Value* shared, const Value& own, const std::string& at) {
  HOLDFAST_CHECK(is_table(own, at));
  if (shared == nullptr) return own;
  HOLDFAST_CHECK(is_table(*shared, "/sets"));
  Value out = *shared;
  for (const auto& [name, values] : *own.members()) out.set(name, values);
  return out;
}

// Returns the document with the members of one of its tables [[variant]] instead of its own, and without these tables.
Result<Value> with_variant(const Value& document, std::string_view variant) {
  const Value* variants = document.find("variant");
  if (variants == nullptr) return document;
  if (variants->array_items() == nullptr) {
    return fail(ErrorCode::bad_value, "/variant",
                fmt::format("found {}, expected tables", variants->described()));
  }
  Value out = document;
  out.erase("variant");
  for (std::size_t i = 0; i < variants->array_items()->size(); ++i) {
    const Value& one = (*variants->array_items())[i];
    const std::string at = pointer_to("/variant", i);
    HOLDFAST_CHECK(is_table(one, at));
    const Value* name = one.find("name");
    if ((name != nullptr && name->string() != nullptr ? *name->string() : "") != variant) continue;
    for (const auto& [member, value] : *one.members()) {
      if (member == "name") continue;
      if (member != "sets") {
        out.set(member, value);
        continue;
      }
      HOLDFAST_TRY(sets, with_sets(document.find(member), value, pointer_to(at, member)));
      out.set(member, std::move(sets));
    }
    return out;
  }
  return fail(ErrorCode::unknown_name, "/variant",
              fmt::format("none is called {}", in_quotes(variant)));
}

Result<Item> read_document_of(const Value& document, const fs::path& folder,
                              std::string_view variant) {
  Item item;
  item.folder = folder;
  item.id = fs::path(folder).filename().string();
  if (!variant.empty()) item.id += fmt::format("-{}", variant);
  ObjectReader read(document, "");
  item.title = read.text("title");
  item.source = read.text("source");
  item.note = read.text_or("note", "");
  item.readings = read.text_or("readings", "");
  const std::string campaign = read.text_or("campaign", "");
  if (!campaign.empty()) item.campaign = (folder / campaign).lexically_normal();
  const std::string published = read.text_or("published", "published.csv");
  Value shared = Value::object();
  read.with("columns", [&shared](const Value& value, const std::string& at) -> Status {
    shared = value;
    return is_table(value, at);
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
  for (const char* name : {"sets", "known"}) read.with(name, is_table);
  read.ignore("statement");
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_TRY(rows, read_published(folder / published, shared));
  item.rows = std::move(rows);
  HOLDFAST_CHECK(check_rows(item));
  HOLDFAST_TRY(statements, read_statements(document, variant, item.rows));
  item.statements = std::move(statements);
  return item;
}

// Returns the names of the variants in a folder. The first has none: its ID is the name of the folder.
std::vector<std::string> variants_of(const fs::path& folder) {
  std::vector<std::string> out;
  const auto document = read_document(folder / "item.toml");
  const Value* variants = document ? document->find("variant") : nullptr;
  if (variants == nullptr || variants->array_items() == nullptr) return out;
  for (const Value& one : *variants->array_items()) {
    const Value* name = one.find("name");
    if (name != nullptr && name->string() != nullptr) out.push_back(*name->string());
  }
  return out;
}

}  // namespace

double Tolerance::around(double expected) const {
  return relative ? size * std::abs(expected) : size;
}

Result<Tolerance> parse_tolerance(std::string_view text) {
  Tolerance tolerance;
  if (const std::size_t plus = text.find('+'); plus != text.npos && text.ends_with("se")) {
    HOLDFAST_TRY(errors, parse_quantity(text.substr(plus + 1, text.size() - plus - 3), Unit::none));
    tolerance.errors = errors;
    text = text.substr(0, plus);
  }
  if (text.ends_with('%')) {
    tolerance.relative = true;
    text.remove_suffix(1);
  }
  HOLDFAST_TRY(size, parse_quantity(text, Unit::none));
  if (!(size >= 0 && tolerance.errors >= 0)) {
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
  std::vector<fs::path> places;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root, error)) {
    if (!fs::is_regular_file(entry.path() / "item.toml", error)) continue;
    places.push_back(entry.path());
    for (const std::string& variant : variants_of(entry.path()))
      places.emplace_back(fmt::format("{}-{}", entry.path().string(), variant));
  }
  std::sort(places.begin(), places.end());
  return places;
}

Result<Item> read_item(const fs::path& place) {
  fs::path folder = place;
  std::string variant;
  std::error_code error;
  for (std::string name = place.filename().string(); !fs::exists(folder / "item.toml", error);) {
    const auto dash = name.rfind('-');
    if (dash == std::string::npos) {
      folder = place;
      break;
    }
    name.resize(dash);
    folder = place.parent_path() / name;
    variant = place.filename().string().substr(dash + 1);
  }
  const fs::path file = folder / "item.toml";
  HOLDFAST_TRY(document, read_document(file));
  auto whole = with_variant(document, variant);
  auto item = whole ? read_document_of(*whole, folder, variant) : fail(whole.error());
  if (item) return item;
  Error wrong = item.error();
  if (!wrong.where.empty() && !wrong.where.starts_with('/')) return fail(std::move(wrong));
  if (!wrong.where.empty()) wrong.where = place_in(document, wrong.where);
  return fail(in_file(file.string(), std::move(wrong)));
}

}  // namespace holdfast::reproduction
