#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// One declaration per field. A row has the field's name, unit, range and summary, and a pointer to the member of a struct that
/// holds it. A table of such rows gives the options of the command line and their help, the reader and the writer of documents,
/// the check of a struct filled by hand, and the defaults, which are the struct's own initialisers:
///
///   constexpr auto kRows = std::to_array<Field<Job>>({
///       {.name = "work", .summary = "failure-free work", .member = member<&Job::work>, .unit = Unit::seconds,
///        .range = positive()},
///       {.name = "order", .summary = "what goes first", .member = choice<&Job::order, kOrders>}});
///   fields_of<kRows>().read(reader, job);
///
/// Rules that involve several fields stay with the domain, which reads the members concerned by hand. The row of such a field
/// has no member, and only makes an option.
namespace holdfast {

/// A path to a member: one pointer, or several pointers for a member of a member.
template <auto... Steps>
struct MemberPath {};
/// The path to write in a row: member<&Job::work>.
template <auto... Steps>
inline constexpr MemberPath<Steps...> member{};

/// A member that documents write as one of several words: an enumeration whose values are in the order of the words, or a flag
/// (the second word means true).
template <auto Pointer, const auto& Words>
struct ChoicePath {};
/// The choice to write in a row: choice<&Job::order, kOrders>.
template <auto Pointer, const auto& Words>
inline constexpr ChoicePath<Pointer, Words> choice{};

namespace detail {

template <class S, class First, class... Rest>
constexpr auto& reach(S& object, First first, Rest... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    return object.*first;
  } else {
    return reach(object.*first, rest...);
  }
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {
  using Inner = T;
};

/// Returns the kind of field for a member of this type.
template <class T>
constexpr Kind kind_of() {
  if constexpr (IsOptional<T>::value) {
    return kind_of<typename IsOptional<T>::Inner>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return Kind::flag;
  } else if constexpr (std::is_integral_v<T>) {
    return Kind::integer;
  } else if constexpr (std::is_floating_point_v<T>) {
    return Kind::number;
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    return Kind::numbers;
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    return Kind::texts;
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return Kind::file;
  } else {
    static_assert(std::is_same_v<T, std::string>, "no field holds this type");
    return Kind::text;
  }
}

/// Reads a field that the document has into its member.
template <class T>
void read_into(ObjectReader& read, const Parameter& field, T& out) {
  if constexpr (IsOptional<T>::value) {
    typename IsOptional<T>::Inner inner{};
    read_into(read, field, inner);
    out = std::move(inner);
  } else if constexpr (std::is_same_v<T, bool>) {
    out = read.flag_or(field.name, out);
  } else if constexpr (std::is_integral_v<T>) {
    out = static_cast<T>(read.integer(field.name, field.range));
  } else if constexpr (std::is_floating_point_v<T>) {
    out = read.quantity(field.name, field.unit, field.range);
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    out = read.numbers(field.name, field.unit, field.range);
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    out = read.texts(field.name);
  } else {
    out = read.text(field.name);
  }
}

/// Returns the member as a document value. It is null if the document should not contain the field: for an optional without
/// value, a number that is not finite, an empty list or text, and a flag that is not set.
template <class T>
Value value_of(const T& held) {
  if constexpr (IsOptional<T>::value) {
    return held ? value_of(*held) : Value();
  } else if constexpr (std::is_same_v<T, bool>) {
    return held ? Value(true) : Value();
  } else if constexpr (std::is_integral_v<T>) {
    return Value(static_cast<std::int64_t>(held));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(held) ? Value(held) : Value();
  } else if constexpr (std::is_same_v<T, std::vector<double>> ||
                       std::is_same_v<T, std::vector<std::string>>) {
    return held.empty() ? Value() : Value::list(held);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return held.empty() ? Value() : Value(held.string());
  } else {
    return held.empty() ? Value() : Value(held);
  }
}

/// Returns true if a member holds a NaN, which no document can express.
template <class T>
bool has_nan(const T& held) {
  if constexpr (IsOptional<T>::value) {
    return held && has_nan(*held);
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(held);
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    return std::ranges::any_of(held, [](double number) { return std::isnan(number); });
  } else {
    return false;
  }
}

/// Returns a default as help shows it; empty if there is none that a user could type.
[[nodiscard]] std::string shown_default(const Parameter& field, const Value& value);
/// Checks a member that was set by hand against its row.
/// @returns bad_value with the message that the reader of a document would give
[[nodiscard]] Status check_field(const Parameter& field, const Value& value);

}  // namespace detail

/// A member of S with its type erased: it can be read from a document and written to one.
template <class S>
class FieldMember {
 public:
  constexpr FieldMember() = default;
  /// Takes a member, or a member of a member.
  template <auto... Steps>
  constexpr FieldMember(MemberPath<Steps...>)  // NOLINT(google-explicit-constructor)
      : kind_{detail::kind_of<TypeAt<Steps...>>()},
        read_{[](ObjectReader& read, const Parameter& field, S& object) {
          detail::read_into(read, field, detail::reach(object, Steps...));
        }},
        value_{[](const S& object) { return detail::value_of(detail::reach(object, Steps...)); }},
        has_nan_{[](const S& object) { return detail::has_nan(detail::reach(object, Steps...)); }} {
  }
  /// Takes a member that documents write as a word.
  template <auto Pointer, const auto& Words>
  constexpr FieldMember(ChoicePath<Pointer, Words>)  // NOLINT(google-explicit-constructor)
      : kind_{Kind::choice},
        choices_{Words},
        read_{[](ObjectReader& read, const Parameter& field, S& object) {
          using Type = std::remove_reference_t<decltype(object.*Pointer)>;
          object.*Pointer = static_cast<Type>(read.choice(field.name, Words));
        }},
        value_{[](const S& object) {
          return Value(Words[static_cast<std::size_t>(object.*Pointer)]);
        }},
        has_nan_{[](const S&) { return false; }} {}

  /// Returns true if there is a member.
  [[nodiscard]] constexpr explicit operator bool() const { return read_ != nullptr; }
  /// Returns the kind of value that the member holds.
  [[nodiscard]] constexpr Kind kind() const { return kind_; }
  /// Returns the words of Kind::choice; empty for other kinds.
  [[nodiscard]] constexpr std::span<const std::string_view> choices() const { return choices_; }
  /// Reads the field from a document that has it. The reader keeps an error.
  void read(ObjectReader& read, const Parameter& field, S& object) const {
    read_(read, field, object);
  }
  /// Returns the member as a document value, in base units; null if the document should not contain it.
  [[nodiscard]] Value value(const S& object) const { return value_(object); }
  /// Returns true if the member holds a NaN, which no document can express.
  [[nodiscard]] bool has_nan(const S& object) const { return has_nan_(object); }

 private:
  template <auto... Steps>
  using TypeAt = std::remove_cvref_t<decltype(detail::reach(std::declval<S&>(), Steps...))>;

  Kind kind_ = Kind::number;
  std::span<const std::string_view> choices_ = {};
  void (*read_)(ObjectReader&, const Parameter&, S&) = nullptr;
  Value (*value_)(const S&) = nullptr;
  bool (*has_nan_)(const S&) = nullptr;
};

/// Whether the writer of a document writes a field whose value is not null.
enum class Written : std::uint8_t {
  always,
  unless_default,  ///< written unless it has its default value
  never,           ///< never written: it is only an option, or the domain writes it itself
};

/// A row of a table of fields.
template <class S>
struct Field {
  std::string_view name;              ///< the name, as in Parameter
  std::string_view summary;           ///< one line, lower case, no full stop
  FieldMember<S> member = {};         ///< the member; none if the domain reads the field by hand
  Unit unit = Unit::none;             ///< the unit of a number
  Range range = {};                   ///< the numbers that the field may hold
  bool is_required = false;           ///< true if a document without the field is an error
  Written written = Written::always;  ///< whether documents contain the field
  Kind kind = Kind::number;           ///< the kind of a row without member
  std::span<const std::string_view> choices = {};  ///< the choices of a row without member
  /// The default in words, if the struct's own does not exist or does not read well; "-" if there is no default.
  std::string_view fallback = {};
  /// The place in the document for a row without member, as in Parameter.
  std::string_view pointer = {};
  std::string_view value_name = {};  ///< the name of the value in help, as in Parameter
  std::string_view heading = {};     ///< the heading in help, as in Parameter
  std::string_view reads = {};       ///< the kind of recorded data in a file, as in Parameter
};

/// Returns the rows of two tables as one table.
template <class S, std::size_t A, std::size_t B>
[[nodiscard]] constexpr std::array<Field<S>, A + B> joined(const std::array<Field<S>, A>& first,
                                                           const std::array<Field<S>, B>& second) {
  std::array<Field<S>, A + B> out;
  for (std::size_t i = 0; i < A; ++i) out[i] = first[i];
  for (std::size_t i = 0; i < B; ++i) out[A + i] = second[i];
  return out;
}

/// A table of fields that can be read, written and checked. Help and documents list the fields in the order of the table.
template <class S>
class Fields {
 public:
  /// Makes the table of these rows.
  /// @param rows  must outlive the table
  explicit Fields(std::span<const Field<S>> rows) : rows_{rows} {
    const S usual{};
    parameters_.reserve(rows.size());
    for (const Field<S>& row : rows) parameters_.push_back(parameter_of(row, usual));
  }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  /// Returns the rows as options, for Domain::fields and Verb::options.
  [[nodiscard]] std::span<const Parameter> parameters() const { return parameters_; }

  /// Reads every field with a member that the document contains; members of missing fields keep their values. If a required
  /// field is missing or a value is out of range, the reader holds the error.
  void read(ObjectReader& read, S& object) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Field<S>& row = rows_[i];
      if (!row.member) continue;
      if (!read.has(row.name) && !row.is_required) {
        read.ignore(row.name);  // known, for suggestions
        continue;
      }
      row.member.read(read, parameters_[i], object);
    }
  }

  /// Appends the fields to a document.
  void write(const S& object, Value& document) const {
    static const S usual{};
    for (const Field<S>& row : rows_) {
      if (!row.member || row.written == Written::never) continue;
      Value value = row.member.value(object);
      if (value.is_null()) continue;
      if (row.written == Written::unless_default && value == row.member.value(usual)) continue;
      document.set(row.name, std::move(value));
    }
  }

  /// Checks that every member is in its range.
  /// @returns bad_value with the field's pointer, in the words of read()
  [[nodiscard]] Status check(const S& object) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!rows_[i].member) continue;
      if (rows_[i].member.has_nan(object)) {
        return fail(ErrorCode::bad_value, pointer_to("", rows_[i].name),
                    "found nan, expected a number");
      }
      HOLDFAST_CHECK(detail::check_field(parameters_[i], rows_[i].member.value(object)));
    }
    return {};
  }

 private:
  Parameter parameter_of(const Field<S>& row, const S& usual) {
    Parameter out{.name = row.name,
                  .summary = row.summary,
                  .kind = row.member ? row.member.kind() : row.kind,
                  .unit = row.unit,
                  .range = row.range,
                  .fallback = row.fallback == "-" ? std::string_view() : row.fallback,
                  .choices = row.member ? row.member.choices() : row.choices,
                  .pointer = row.pointer,
                  .is_required = row.is_required,
                  .value_name = row.value_name,
                  .heading = row.heading,
                  .reads = row.reads};
    if (row.member && !row.is_required && row.fallback.empty()) {
      out.fallback = texts_.emplace_back(detail::shown_default(out, row.member.value(usual)));
    }
    return out;
  }

  std::span<const Field<S>> rows_;
  std::vector<Parameter> parameters_;
  std::deque<std::string> texts_;  // of defaults
};

namespace detail {
template <class S, std::size_t N>
S row_struct(const std::array<Field<S>, N>&);
}  // namespace detail

/// Returns the table of the rows in a constant. The table is made at the first call.
template <const auto& Rows>
[[nodiscard]] const auto& fields_of() {
  static const Fields<decltype(detail::row_struct(Rows))> kFields(Rows);
  return kFields;
}

}  // namespace holdfast
