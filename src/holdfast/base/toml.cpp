#include "holdfast/base/value.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

namespace holdfast {
namespace {

Result<Value> convert(const toml::node& node, const std::string& where);

std::uint32_t line_of(const toml::node& node) {
  return static_cast<std::uint32_t>(node.source().begin.line);
}

Result<Value> convert_table(const toml::table& table, const std::string& where) {
  // The library sorts keys by name; documents keep the order of the file, so that sweeps do.
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (auto&& [key, node] : table) entries.emplace_back(&key, &node);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const auto& x = a.first->source().begin;
    const auto& y = b.first->source().begin;
    return std::pair(x.line, x.column) < std::pair(y.line, y.column);
  });
  Value::Object members;
  for (const auto& [key, node] : entries) {
    const std::string name(key->str());
    HOLDFAST_TRY(value, convert(*node, pointer_to(where, name)));
    if (value.line() == 0) value.set_line(static_cast<std::uint32_t>(key->source().begin.line));
    members.emplace_back(name, std::move(value));
  }
  return Value(std::move(members));
}

Result<Value> convert_array(const toml::array& array, const std::string& where) {
  Value::Array items;
  for (const toml::node& node : array) {
    HOLDFAST_TRY(value, convert(node, pointer_to(where, items.size())));
    items.push_back(std::move(value));
  }
  return Value(std::move(items));
}

Result<Value> convert_plain(const toml::node& node, const std::string& where) {
  if (const auto* text = node.as_string()) return Value(text->get());
  if (const auto* whole = node.as_integer()) return Value(std::int64_t{whole->get()});
  if (const auto* flag = node.as_boolean()) return Value(flag->get());
  if (const auto* real = node.as_floating_point()) {
    if (std::isfinite(real->get())) return Value(real->get());
    return fail(ErrorCode::bad_value, fmt::format("{}: {}", line_of(node), where),
                "found nan or inf, expected a finite number");
  }
  return fail(ErrorCode::bad_value, fmt::format("{}: {}", line_of(node), where),
              "found a date or time, expected a text, a number, an array or a table");
}

Result<Value> convert(const toml::node& node, const std::string& where) {
  Result<Value> value = node.is_table()   ? convert_table(*node.as_table(), where)
                        : node.is_array() ? convert_array(*node.as_array(), where)
                                          : convert_plain(node, where);
  if (value) value->set_line(line_of(node));
  return value;
}

}  // namespace

Result<Value> parse_toml(std::string_view text) {
  try {
    return convert_table(toml::parse(text), "");
  } catch (const toml::parse_error& error) {
    const auto& place = error.source().begin;
    return fail(ErrorCode::bad_format, fmt::format("{}, column {}", place.line, place.column),
                std::string(error.description()));
  }
}

}  // namespace holdfast
