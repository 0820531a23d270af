#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast {

/// A range of numbers that a field may hold. Error messages describe it in words.
struct Range {
  /// The smallest number, in the unit of the field.
  double minimum = -std::numeric_limits<double>::infinity();
  /// The largest number, in the unit of the field.
  double maximum = std::numeric_limits<double>::infinity();
  bool above_minimum = false;  ///< true if the minimum itself is refused
  bool below_maximum = false;  ///< true if the maximum itself is refused

  /// Returns true if the number is in the range; false for NaN.
  [[nodiscard]] bool contains(double value) const;
  /// Returns "a number greater than 0", "a number from 0 to 1".
  [[nodiscard]] std::string described(std::string_view noun) const;
};

/// Make the usual ranges.
[[nodiscard]] constexpr Range any_number() {
  return {};
}
[[nodiscard]] constexpr Range positive() {
  return {.minimum = 0, .above_minimum = true};
}
[[nodiscard]] constexpr Range at_least(double minimum) {
  return {.minimum = minimum};
}
[[nodiscard]] constexpr Range non_negative() {
  return at_least(0);
}
[[nodiscard]] constexpr Range between(double minimum, double maximum) {
  return {.minimum = minimum, .maximum = maximum};
}

/// A strict reader of one object. Every field that the caller asks for becomes a known field; finish() refuses all others and
/// suggests the nearest name. The first error is kept and every later read returns its fallback, so a reader of twenty fields
/// needs only one check, at the end:
///
///   ObjectReader read(document, "");
///   job.work = read.seconds("work", positive());
///   job.recovery = read.seconds_or("recovery", job.checkpoint, non_negative());
///   HOLDFAST_CHECK(read.finish());
///
/// `where` is the JSON pointer of the object in its document. Everything passed by reference must outlive the reader.
class ObjectReader {
 public:
  /// Starts to read an object.
  ObjectReader(const Value& object, std::string where);

  /// Returns true if the object has that field.
  [[nodiscard]] bool has(std::string_view name) const { return object_->find(name) != nullptr; }

  /// Read numbers, seconds and other quantities, in SI base units. A text is read as a quantity ("10min", "1GiB", "1/5").
  double number(std::string_view name, Range range = {});
  double number_or(std::string_view name, double fallback, Range range = {});
  double seconds(std::string_view name, Range range = {});
  double seconds_or(std::string_view name, double fallback, Range range = {});
  double quantity(std::string_view name, Unit unit, Range range = {});
  double quantity_or(std::string_view name, Unit unit, double fallback, Range range = {});
  std::optional<double> optional_quantity(std::string_view name, Unit unit, Range range = {});

  /// Read whole numbers: 3.0 and "1e6" are whole, 3.5 is an error.
  std::int64_t integer(std::string_view name, Range range = {});
  std::int64_t integer_or(std::string_view name, std::int64_t fallback, Range range = {});

  /// Read a flag or a text.
  bool flag_or(std::string_view name, bool fallback);
  std::string text(std::string_view name);
  std::string text_or(std::string_view name, std::string_view fallback);
  /// Read one of the choices and return its index.
  std::size_t choice(std::string_view name, std::span<const std::string_view> choices);
  std::size_t choice_or(std::string_view name, std::span<const std::string_view> choices,
                        std::size_t fallback);

  /// Reads an array of whole numbers; empty if there is none.
  std::vector<std::int64_t> integers(std::string_view name, Range range = {});
  /// Reads an array of texts.
  std::vector<std::string> texts(std::string_view name);
  /// Reads an array of numbers that share one unit.
  std::vector<double> numbers(std::string_view name, Unit unit = Unit::none, Range range = {});
  /// Call read(element, pointer) for each element of an array. Only for each() is a missing array an error.
  void each(std::string_view name,
            const std::function<Status(const Value&, const std::string&)>& read);
  void each_or_none(std::string_view name,
                    const std::function<Status(const Value&, const std::string&)>& read);
  /// Call read(value, pointer) for a member of any kind, if it exists. Only for required() is a missing member an error.
  void with(std::string_view name,
            const std::function<Status(const Value&, const std::string&)>& read);
  void required(std::string_view name,
                const std::function<Status(const Value&, const std::string&)>& read);
  /// Marks a field as known without reading it.
  void ignore(std::string_view name);

  /// Record an error at a field (at the object itself if the name is empty). An earlier error is kept instead.
  void refuse(std::string_view name, std::string message, ErrorCode code = ErrorCode::bad_value);
  void refuse(Error error);

  /// Returns true if there has been no error.
  [[nodiscard]] bool ok() const { return !error_; }
  /// Returns the JSON pointer of the object.
  [[nodiscard]] const std::string& where() const { return where_; }
  /// Returns the JSON pointer of a field of the object.
  [[nodiscard]] std::string pointer(std::string_view name) const {
    return pointer_to(where_, name);
  }
  /// Returns the first error, or one about an unknown field with a suggestion, or success.
  [[nodiscard]] Status finish();

 private:
  const Value* take(std::string_view name, bool is_required);
  double read_quantity(const Value& value, const std::string& pointer, Unit unit, Range range);

  const Value* object_;
  std::string where_;
  std::vector<std::string_view> known_;
  std::optional<Error> error_;
};

/// Read one number from a value, with the same messages as ObjectReader; for elements of arrays.
[[nodiscard]] Result<double> read_quantity(const Value& value, std::string_view where, Unit unit,
                                           Range range = {});
[[nodiscard]] Result<std::int64_t> read_integer(const Value& value, std::string_view where,
                                                Range range = {});

/// Reads a list of whole numbers.
[[nodiscard]] Result<std::vector<std::int64_t>> read_integers(const Value& value,
                                                              std::string_view where,
                                                              Range range = {});
/// Reads a list of two items: a quantity and a whole number.
/// @param expected  the description of the list in messages: "[time, processor]"
[[nodiscard]] Result<std::pair<double, std::int64_t>> read_pair(const Value& value,
                                                                std::string_view where,
                                                                std::string_view expected,
                                                                Unit unit, Range first = {},
                                                                Range second = {});

/// Checks the "holdfast" header ({"kind": kind, "version": 1}) of a document, if it has one.
[[nodiscard]] Status check_header(const Value& document, std::string_view kind);

}  // namespace holdfast
