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

/// One declaration per field: a row names it, says its unit, range and summary, and points to the member of a struct
/// that holds it. From a table of such rows come the options of the command line and their help, the reader and the
/// writer of documents, the check of a struct made by hand, and the defaults, which are the struct's own initialisers:
///
///   constexpr auto kRows = std::to_array<Field<Job>>({
///       {.name = "work", .summary = "failure-free work", .member = member<&Job::work>, .unit = Unit::seconds,
///        .range = positive()},
///       {.name = "order", .summary = "what goes first", .member = choice<&Job::order, kOrders>}});
///   fields_of<kRows>().read(reader, job);
///
/// Rules between fields, and documents whose parts depend on each other, stay with the domain, which reads those
/// members by hand: such a row has no member, and is an option alone.
namespace holdfast {

/// A way to a member: a pointer to it, or several, one inside the other.
template <auto... Steps>
struct MemberPath {};
template <auto... Steps>
inline constexpr MemberPath<Steps...> member{};

/// A member that is one of several words: an enumeration in their order, or a flag (the second word is true).
template <auto Pointer, const auto& Words>
struct ChoicePath {};
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

/// The kind of field that a member of this type is.
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
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return Kind::file;
  } else {
    static_assert(std::is_same_v<T, std::string>, "no field holds this type");
    return Kind::text;
  }
}

/// What a document says of a field that it has.
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
  } else {
    out = read.text(field.name);
  }
}

/// The member as a document holds it; null where there is nothing to say: an optional without value, a number that is
/// not finite, an empty list or text, a flag that is not set.
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
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    return held.empty() ? Value() : Value::list(held);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return held.empty() ? Value() : Value(held.string());
  } else {
    return held.empty() ? Value() : Value(held);
  }
}

/// Whether a member holds what is no number, which no document can say.
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

/// A default as help shows it; empty where there is none, or none that a user might give.
[[nodiscard]] std::string shown_default(const Parameter& field, const Value& value);
/// A member that was set by hand, against its row. @returns bad_value as the reader of a document would say it
[[nodiscard]] Status check_field(const Parameter& field, const Value& value);

}  // namespace detail

/// A member of S without its type: how a document's field is read into it and written from it.
template <class S>
class FieldMember {
 public:
  constexpr FieldMember() = default;
  template <auto... Steps>
  constexpr FieldMember(MemberPath<Steps...>)  // NOLINT(google-explicit-constructor)
      : kind_{detail::kind_of<TypeAt<Steps...>>()},
        read_{[](ObjectReader& read, const Parameter& field, S& object) {
          detail::read_into(read, field, detail::reach(object, Steps...));
        }},
        value_{[](const S& object) { return detail::value_of(detail::reach(object, Steps...)); }},
        has_nan_{[](const S& object) { return detail::has_nan(detail::reach(object, Steps...)); }} {
  }
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

  [[nodiscard]] constexpr explicit operator bool() const { return read_ != nullptr; }
  [[nodiscard]] constexpr Kind kind() const { return kind_; }
  [[nodiscard]] constexpr std::span<const std::string_view> choices() const { return choices_; }
  void read(ObjectReader& read, const Parameter& field, S& object) const {
    read_(read, field, object);
  }
  [[nodiscard]] Value value(const S& object) const { return value_(object); }
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

/// When the writer of a document leaves a field out, beside where there is nothing to say.
enum class Written : std::uint8_t {
  always,
  unless_default,  ///< where it is what a document without it means
  never,           ///< an option alone, or what the domain writes itself
};

/// A row of a table of fields.
template <class S>
struct Field {
  std::string_view name;       ///< as in Parameter
  std::string_view summary;    ///< one line, lower case, no full stop
  FieldMember<S> member = {};  ///< none: the domain reads it by hand
  Unit unit = Unit::none;
  Range range = {};
  bool is_required = false;  ///< a document cannot do without
  Written written = Written::always;
  Kind kind = Kind::number;                        ///< of a row without member
  std::span<const std::string_view> choices = {};  ///< likewise
  /// The default in words, where the struct's own would not read well or is none; "-": there is none.
  std::string_view fallback = {};
  std::string_view pointer = {};     ///< as in Parameter, of a row without member
  std::string_view value_name = {};  ///< as in Parameter
  std::string_view heading = {};     ///< likewise
};

/// Two tables of rows as one.
template <class S, std::size_t A, std::size_t B>
[[nodiscard]] constexpr std::array<Field<S>, A + B> joined(const std::array<Field<S>, A>& first,
                                                           const std::array<Field<S>, B>& second) {
  std::array<Field<S>, A + B> out;
  for (std::size_t i = 0; i < A; ++i) out[i] = first[i];
  for (std::size_t i = 0; i < B; ++i) out[A + i] = second[i];
  return out;
}

/// A table of fields at work. Rows stand in the order in which help lists them and documents are written.
template <class S>
class Fields {
 public:
  /// @param rows  have to outlive the table
  explicit Fields(std::span<const Field<S>> rows) : rows_{rows} {
    const S usual{};
    parameters_.reserve(rows.size());
    for (const Field<S>& row : rows) parameters_.push_back(parameter_of(row, usual));
  }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  /// The rows as options, for Domain::fields and Verb::options.
  [[nodiscard]] std::span<const Parameter> parameters() const { return parameters_; }

  /// Reads every field with a member that the object has; the others keep what they are. Without a required one, or
  /// with one outside its range, the reader holds the error.
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

  /// Every member in its range. @returns bad_value with the field's pointer, in the words of read()
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
                  .value_name = row.value_name,
                  .heading = row.heading};
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

/// The table of the rows in a constant, made when it is first asked for.
template <const auto& Rows>
[[nodiscard]] const auto& fields_of() {
  static const Fields<decltype(detail::row_struct(Rows))> kFields(Rows);
  return kFields;
}

}  // namespace holdfast
