#pragma once

#include "holdfast/base/value.hpp"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// The members of a line of a journal, each declared once: rows(entry, row) calls row("name", entry.name) for each, to write or
/// to read. `row.spare` leaves out what says nothing: an empty text, false, 0. `row.each` is a list of objects with rows of their own. `row.exact` has more digits than a double, and
/// `row.word` is one of several words. `row.renamed` was called otherwise in 0.1.0.
namespace holdfast::field {

/// Writes members. An optional without a value is left out.
struct RowWriter {
  Value* out;

  template <class T>
  void operator()(std::string_view name, const T& held) const {
    out->set(name, Value(held));
  }
  template <class T>
  void operator()(std::string_view name, const std::vector<T>& held) const {
    out->set(name, Value::list(held));
  }
  template <class T>
  void operator()(std::string_view name, const std::optional<T>& held) const {
    if (held) (*this)(name, *held);
  }
  template <class T>
  void spare(std::string_view name, const T& held) const {
    if (held != T()) (*this)(name, held);
  }
  template <class T>
  void renamed(std::string_view name, std::string_view, const T& held) const {
    (*this)(name, held);
  }
  template <class T, class Rows>
  void each(std::string_view name, const std::vector<T>& held, const Rows& rows) const {
    Value list = Value::array();
    for (T one : held) {
      Value item = Value::object();
      rows(one, RowWriter{&item});
      list.push(std::move(item));
    }
    out->set(name, std::move(list));
  }
  template <std::integral T>
  void exact(std::string_view name, T held) const {
    if (held != 0) out->set(name, std::to_string(held));
  }
  template <class Word>
  void word(std::string_view name, Word held, std::span<const std::string_view> words) const {
    out->set(name, words[static_cast<std::size_t>(held)]);
  }
};

/// Reads members. One that is missing, or is of another type, keeps its default.
struct RowReader {
  const Value* in;

  template <class T>
  void operator()(std::string_view name, T& held) const {
    if (const Value* value = in->find(name)) take(*value, held);
  }
  template <class T>
  void spare(std::string_view name, T& held) const {
    (*this)(name, held);
  }
  template <class T>
  void renamed(std::string_view name, std::string_view before, T& held) const {
    (*this)(in->find(name) != nullptr ? name : before, held);
  }
  template <class T, class Rows>
  void each(std::string_view name, std::vector<T>& held, const Rows& rows) const {
    const Value* list = in->find(name);
    if (list == nullptr || list->array_items() == nullptr) return;
    for (const Value& item : *list->array_items()) rows(held.emplace_back(), RowReader{&item});
  }
  template <std::integral T>
  void exact(std::string_view name, T& held) const {
    std::string text;
    (*this)(name, text);
    if (text.empty()) return (*this)(name, held);
    std::from_chars(text.data(), text.data() + text.size(), held);
  }
  template <class Word>
  void word(std::string_view name, Word& held, std::span<const std::string_view> words) const {
    std::string text;
    (*this)(name, text);
    const auto found = std::ranges::find(words, text);
    if (found != words.end()) held = static_cast<Word>(found - words.begin());
  }

 private:
  // Returns false if a value is of another type.
  static bool take(const Value& value, Value& held) {
    held = value;
    return true;
  }
  static bool take(const Value& value, std::string& held) {
    if (value.string() != nullptr) held = *value.string();
    return value.string() != nullptr;
  }
  static bool take(const Value& value, bool& held) {
    if (value.boolean() != nullptr) held = *value.boolean();
    return value.boolean() != nullptr;
  }
  static bool take(const Value& value, double& held) {
    if (value.is_number()) held = value.number();
    return value.is_number();
  }
  template <std::integral T>
  static bool take(const Value& value, T& held) {
    std::int64_t whole = 0;
    if (!value.get_integer(whole) || !std::in_range<T>(whole)) return false;
    held = static_cast<T>(whole);
    return true;
  }
  template <class T>
  static bool take(const Value& value, std::optional<T>& held) {
    T one{};
    if (take(value, one)) held = std::move(one);
    return held.has_value();
  }
  template <class T>
  static bool take(const Value& value, std::vector<T>& held) {
    if (value.array_items() == nullptr) return false;
    for (const Value& item : *value.array_items()) {
      T one{};
      if (take(item, one)) held.push_back(std::move(one));
    }
    return true;
  }
};

/// Returns the alternative of this kind, read from a line; nothing if there is no such kind.
/// @param kinds  in the order of the alternatives
/// @param rows   calls rows() of an alternative
template <class Variant, std::size_t Kind = 0>
std::optional<Variant> read_alternative(std::span<const std::string_view> kinds,
                                        std::string_view kind, const Value& line,
                                        const auto& rows) {
  if constexpr (Kind == std::variant_size_v<Variant>) {
    return std::nullopt;
  } else {
    if (kinds[Kind] != kind) return read_alternative<Variant, Kind + 1>(kinds, kind, line, rows);
    std::variant_alternative_t<Kind, Variant> out;
    rows(out, RowReader{&line});
    return Variant(std::move(out));
  }
}

}  // namespace holdfast::field
