#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace holdfast {

/// One value of a document (JSON or TOML), or of a result on its way out. Objects keep the order in which their
/// members were written. A plain tree: what it may contain is decided by its reader (ObjectReader).
class Value {
 public:
  using Array = std::vector<Value>;
  using Member = std::pair<std::string, Value>;
  using Object = std::vector<Member>;

  Value() = default;
  Value(std::nullptr_t) {}                                    // NOLINT(google-explicit-constructor)
  Value(bool value) : data_{value} {}                         // NOLINT
  Value(int value) : data_{std::int64_t{value}} {}            // NOLINT
  Value(std::int64_t value) : data_{value} {}                 // NOLINT
  Value(std::uint64_t value) : data_{value} {}                // NOLINT
  Value(double value) : data_{value} {}                       // NOLINT
  Value(const char* text) : data_{std::string(text)} {}       // NOLINT
  Value(std::string_view text) : data_{std::string(text)} {}  // NOLINT
  Value(std::string text) : data_{std::move(text)} {}         // NOLINT
  Value(Array array) : data_{std::move(array)} {}             // NOLINT
  Value(Object object) : data_{std::move(object)} {}          // NOLINT
  /// Value::object({{"mean", 1.0}, {"count", 3}})
  static Value object(std::initializer_list<Member> members = {}) { return Value(Object(members)); }
  static Value array() { return Value(Array{}); }
  /// An array of numbers or texts.
  template <class Range>
  static Value list(const Range& range) {
    Array out;
    out.reserve(std::size(range));
    for (const auto& item : range) out.emplace_back(item);
    return Value(std::move(out));
  }

  [[nodiscard]] bool is_null() const { return data_.index() == 0; }
  [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&data_); }
  [[nodiscard]] const std::string* string() const { return std::get_if<std::string>(&data_); }
  [[nodiscard]] const Array* array_items() const { return std::get_if<Array>(&data_); }
  [[nodiscard]] Array* array_items() { return std::get_if<Array>(&data_); }
  [[nodiscard]] const Object* members() const { return std::get_if<Object>(&data_); }
  [[nodiscard]] Object* members() { return std::get_if<Object>(&data_); }
  /// True for integers and floating point numbers.
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] bool is_integer() const;
  /// True where it was written or computed as a floating point number, be it whole or not.
  [[nodiscard]] bool is_real() const { return std::holds_alternative<double>(data_); }
  /// The number as a double. @pre is_number()
  [[nodiscard]] double number() const;
  /// The number as 64 bits with sign; false where it is no whole number or does not fit.
  [[nodiscard]] bool get_integer(std::int64_t& out) const;
  [[nodiscard]] bool get_unsigned(std::uint64_t& out) const;

  /// The member of that name, or null.
  [[nodiscard]] const Value* find(std::string_view name) const;
  [[nodiscard]] Value* find(std::string_view name);
  /// Adds or replaces a member, turning a null into an object first. @pre null or object
  Value& set(std::string_view name, Value value);
  /// Appends an element, turning a null into an array first. @pre null or array
  Value& push(Value value);
  void erase(std::string_view name);

  /// The value at a JSON pointer ("/results/0/metrics"), or null where there is none.
  [[nodiscard]] const Value* at(std::string_view pointer) const;
  /// Writes at a JSON pointer of object members, making the objects on the way.
  void set_at(std::string_view pointer, Value value);

  /// "an object", "the string \"abc\"", "12.5": what an error message says it found.
  [[nodiscard]] std::string described() const;

  /// Line in the file it came from (TOML), from 1; 0 where unknown.
  [[nodiscard]] std::uint32_t line() const { return line_; }
  void set_line(std::uint32_t line) { line_ = line; }

  /// Same kind and contents; numbers compare by value (1 == 1.0), members in any order, lines ignored.
  friend bool operator==(const Value& a, const Value& b);

 private:
  // Never held. Without it the variant of libstdc++ 12 takes itself for never empty, being made of plain values, texts
  // and vectors, and when the copy of one of those throws it destroys what was not made (out_of_memory_test).
  struct Never {
    Never(const Never& /*other*/) noexcept {}
    Never& operator=(const Never& /*other*/) noexcept { return *this; }
    ~Never() = default;
    friend bool operator==(const Never& /*a*/, const Never& /*b*/) { return true; }
  };

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array,
               Object, Never>
      data_;
  std::uint32_t line_ = 0;
};

/// Appends one step to a JSON pointer, escaping ~ and /.
[[nodiscard]] std::string pointer_to(std::string_view pointer, std::string_view name);
[[nodiscard]] std::string pointer_to(std::string_view pointer, std::size_t index);

/// Reads one JSON document. Refuses duplicate keys, trailing text, NaN and infinities, numbers that overflow,
/// nesting deeper than 200, with line and column of the place.
[[nodiscard]] Result<Value> parse_json(std::string_view text);

/// Reads a TOML document; each value knows its line. Dates and times are refused.
[[nodiscard]] Result<Value> parse_toml(std::string_view text);

/// Writes JSON: two blanks per level, arrays of plain values on one line, doubles as the shortest text that reads
/// back the same. @pre no NaN, no infinity inside
[[nodiscard]] std::string to_json(const Value& value);
/// The same on one line; what hashes and comparisons use.
[[nodiscard]] std::string to_compact_json(const Value& value);

/// Where in its file a pointer lies, for messages: "/work" or "12: /work" where the line is known.
[[nodiscard]] std::string place_in(const Value& document, std::string_view pointer);

}  // namespace holdfast
