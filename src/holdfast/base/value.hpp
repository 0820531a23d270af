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

/// One value of a document (JSON or TOML), or of a result that will be written. Objects keep their members in the order in
/// which they were written. A Value is a plain tree; its reader (ObjectReader) decides what it may contain.
class Value {
 public:
  /// The elements of a list.
  using Array = std::vector<Value>;
  /// The name and the value of a member of an object.
  using Member = std::pair<std::string, Value>;
  /// The members of an object, in the order in which they were written.
  using Object = std::vector<Member>;

  /// Make a value from what it holds; Value() is null.
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
  /// Makes an object: Value::object({{"mean", 1.0}, {"count", 3}}).
  static Value object(std::initializer_list<Member> members = {}) { return Value(Object(members)); }
  /// Makes an empty array.
  static Value array() { return Value(Array{}); }
  /// Makes an array of numbers or texts.
  template <class Range>
  static Value list(const Range& range) {
    Array out;
    out.reserve(std::size(range));
    for (const auto& item : range) out.emplace_back(item);
    return Value(std::move(out));
  }

  /// Returns true for null.
  [[nodiscard]] bool is_null() const { return data_.index() == 0; }
  /// Return the contents, or null if the value is of another kind.
  [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&data_); }
  [[nodiscard]] const std::string* string() const { return std::get_if<std::string>(&data_); }
  [[nodiscard]] const Array* array_items() const { return std::get_if<Array>(&data_); }
  [[nodiscard]] Array* array_items() { return std::get_if<Array>(&data_); }
  [[nodiscard]] const Object* members() const { return std::get_if<Object>(&data_); }
  [[nodiscard]] Object* members() { return std::get_if<Object>(&data_); }
  /// Returns true for integers and floating point numbers.
  [[nodiscard]] bool is_number() const;
  /// Returns true if get_integer() would succeed.
  [[nodiscard]] bool is_integer() const;
  /// Returns true if the number was written or computed as a floating point number, even if it is whole.
  [[nodiscard]] bool is_real() const { return std::holds_alternative<double>(data_); }
  /// Returns the number as a double.
  /// @pre is_number()
  [[nodiscard]] double number() const;
  /// Write the number to `out` as a signed or unsigned 64-bit integer. They return false if it is not whole or does not fit.
  [[nodiscard]] bool get_integer(std::int64_t& out) const;
  [[nodiscard]] bool get_unsigned(std::uint64_t& out) const;

  /// Return the member with that name, or null.
  [[nodiscard]] const Value* find(std::string_view name) const;
  [[nodiscard]] Value* find(std::string_view name);
  /// Adds or replaces a member, and returns it. A null is turned into an object first.
  /// @pre it is null or an object
  Value& set(std::string_view name, Value value);
  /// Appends an element, and returns it. A null is turned into an array first.
  /// @pre it is null or an array
  Value& push(Value value);
  /// Removes the member with that name, if there is one.
  void erase(std::string_view name);

  /// Returns the value at a JSON pointer ("/results/0/metrics"), or null if there is none.
  [[nodiscard]] const Value* at(std::string_view pointer) const;
  /// Writes a value at a JSON pointer through object members, and creates missing objects on the way.
  void set_at(std::string_view pointer, Value value);

  /// Returns a description for "found ..." in an error message: "an object", "the string \"abc\"", "12.5".
  [[nodiscard]] std::string described() const;

  /// Returns the line of a TOML file that the value came from, counted from 1; 0 if unknown.
  [[nodiscard]] std::uint32_t line() const { return line_; }
  /// Sets that line.
  void set_line(std::uint32_t line) { line_ = line; }

  /// Compares kind and contents. Numbers are compared by value (1 == 1.0), members in any order; lines are ignored.
  friend bool operator==(const Value& a, const Value& b);

 private:
  // This alternative is never held. Without it the variant of libstdc++ 12 assumes that it can never be empty, because all its
  // alternatives are plain values, texts and vectors. If the copy of one of them then throws, it destroys an object that was
  // never made (out_of_memory_test).
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

/// Append one step to a JSON pointer, and escape ~ and /.
[[nodiscard]] std::string pointer_to(std::string_view pointer, std::string_view name);
[[nodiscard]] std::string pointer_to(std::string_view pointer, std::size_t index);

/// Reads one JSON document. Duplicate keys, trailing text, NaN and infinities, numbers that overflow and nesting deeper than
/// 200 are errors with line and column.
[[nodiscard]] Result<Value> parse_json(std::string_view text);

/// Reads a TOML document; each value knows its line. Dates and times are errors.
[[nodiscard]] Result<Value> parse_toml(std::string_view text);

/// Writes JSON: two blanks per level, arrays of plain values on one line, and each double as the shortest text that reads back
/// the same.
/// @pre the value contains no NaN and no infinity
[[nodiscard]] std::string to_json(const Value& value);
/// Writes JSON on one line, for hashes and comparisons.
[[nodiscard]] std::string to_compact_json(const Value& value);

/// Returns the place of a pointer in its file, for messages: "/work", or "12: /work" if the line is known.
[[nodiscard]] std::string place_in(const Value& document, std::string_view pointer);

}  // namespace holdfast
