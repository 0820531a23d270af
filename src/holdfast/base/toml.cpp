#include "holdfast/base/text.hpp"
#include "holdfast/base/toml_limits.hpp"
#include "holdfast/base/value.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

namespace holdfast {
namespace {

/// An error about a node. Its pointer grows on the way back up: a pointer for each value would cost time in proportion to its
/// key.
struct Problem {
  std::uint32_t line = 0;
  std::string pointer;
  std::string message;
};

using Converted = tl::expected<Value, Problem>;

Converted convert(const toml::node& node);

std::uint32_t line_of(const toml::node& node) {
  return static_cast<std::uint32_t>(node.source().begin.line);
}

tl::unexpected<Problem> below(const std::string& step, Problem problem) {
  problem.pointer.insert(0, step);
  return tl::unexpected<Problem>(std::move(problem));
}

Converted convert_table(const toml::table& table) {
  // The library sorts keys by name; a document keeps the order of the file, and so do sweeps.
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (auto&& [key, node] : table) entries.emplace_back(&key, &node);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const auto& x = a.first->source().begin;
    const auto& y = b.first->source().begin;
    return std::pair(x.line, x.column) < std::pair(y.line, y.column);
  });
  Value::Object members;
  members.reserve(entries.size());
  for (const auto& [key, node] : entries) {
    Converted value = convert(*node);
    if (!value) return below(pointer_to("", key->str()), std::move(value).error());
    if (value->line() == 0) value->set_line(static_cast<std::uint32_t>(key->source().begin.line));
    members.emplace_back(std::string(key->str()), std::move(*value));
  }
  return Value(std::move(members));
}

Converted convert_array(const toml::array& array) {
  Value::Array items;
  items.reserve(array.size());
  for (const toml::node& node : array) {
    Converted value = convert(node);
    if (!value) return below(pointer_to("", items.size()), std::move(value).error());
    items.push_back(std::move(*value));
  }
  return Value(std::move(items));
}

Converted convert_plain(const toml::node& node) {
  if (const auto* text = node.as_string()) return Value(text->get());
  if (const auto* whole = node.as_integer()) return Value(std::int64_t{whole->get()});
  if (const auto* flag = node.as_boolean()) return Value(flag->get());
  const auto* real = node.as_floating_point();
  if (real != nullptr && std::isfinite(real->get())) return Value(real->get());
  return tl::unexpected<Problem>(Problem{
      line_of(node), "",
      real != nullptr ? "found nan or inf, expected a finite number"
                      : "found a date or time, expected a text, a number, an array or a table"});
}

Converted convert(const toml::node& node) {
  Converted value = node.is_table()   ? convert_table(*node.as_table())
                    : node.is_array() ? convert_array(*node.as_array())
                                      : convert_plain(node);
  if (value) value->set_line(line_of(node));
  return value;
}

}  // namespace

Result<Value> parse_toml(std::string_view text) {
  HOLDFAST_CHECK(check_utf8(text));
  HOLDFAST_CHECK(check_toml_limits(text));
  try {
    Converted value = convert_table(toml::parse(text));
    if (value) return std::move(*value);
    const Problem& problem = value.error();
    return fail(ErrorCode::bad_value, fmt::format("{}: {}", problem.line, problem.pointer),
                problem.message);
  } catch (const toml::parse_error& error) {
    const auto& place = error.source().begin;
    return fail(ErrorCode::bad_format, fmt::format("{}, column {}", place.line, place.column),
                std::string(error.description()));
  }
}

}  // namespace holdfast
