#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/field.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

/// One declaration per column of a schedule: its name, unit and role, and the member of the domain's row that it shows. The
/// table turns rows into a timeline, and for validators a timeline back into rows:
///
///   struct ScheduleRow {
///     std::string_view task;
///     double start = 0;
///     double end = 0;
///     std::int64_t processors = 0;
///   };
///   constexpr auto kColumns = std::to_array<ScheduleColumn<ScheduleRow>>({
///       {{"task", Unit::none, Role::lane}, member<&ScheduleRow::task>},
///       {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>}, ...
namespace holdfast {

namespace detail {

/// Returns a member as a cell. Texts are copied into the timeline.
template <class T>
TimelineCell cell_of(const T& held, Timeline& timeline) {
  if constexpr (IsOptional<T>::value) {
    return held ? cell_of(*held, timeline) : TimelineCell();
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return timeline.intern(held);
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>) {
    return held;
  } else {
    static_assert(std::is_integral_v<T>, "no column holds this type");
    return static_cast<std::int64_t>(held);
  }
}

/// Reads a cell into a member.
/// @returns true if the cell has the member's type
template <class T>
bool read_cell(const TimelineCell& cell, T& out) {
  if constexpr (IsOptional<T>::value) {
    if (std::holds_alternative<std::monostate>(cell)) {
      out.reset();
      return true;
    }
    typename IsOptional<T>::Inner inner{};
    if (!read_cell(cell, inner)) return false;
    out = inner;
    return true;
  } else {
    constexpr bool kIsWhole = std::is_integral_v<T> && !std::is_same_v<T, bool>;
    using Held = std::conditional_t<kIsWhole, std::int64_t, T>;
    const auto* held = std::get_if<Held>(&cell);
    if (held != nullptr) out = static_cast<T>(*held);
    return held != nullptr;
  }
}

/// Returns the error about a timeline with another number of columns.
[[nodiscard]] tl::unexpected<Error> wrong_columns(std::size_t found, std::size_t expected);
/// Returns the error about a cell whose type does not match its column.
/// @param row  number of the row, from 0
[[nodiscard]] tl::unexpected<Error> wrong_cell(std::size_t row, std::string_view column);

}  // namespace detail

/// A member of a row with its type erased: std::string_view, double, bool, a whole number, an optional of one of these (an
/// empty cell if it has no value), or a choice, which the schedule shows as its word.
template <class R>
class CellMember {
 public:
  /// Takes a member.
  template <auto Step>
  constexpr CellMember(MemberPath<Step>)  // NOLINT(google-explicit-constructor)
      : write_{[](const R& row, Timeline& timeline) {
          return detail::cell_of(row.*Step, timeline);
        }},
        read_{[](const TimelineCell& cell, R& row) { return detail::read_cell(cell, row.*Step); }} {
  }
  /// Takes a member that the schedule shows as a word.
  template <auto Pointer, const auto& Words>
  constexpr CellMember(ChoicePath<Pointer, Words>)  // NOLINT(google-explicit-constructor)
      : write_{[](const R& row, Timeline&) {
          return TimelineCell(std::string_view(Words[static_cast<std::size_t>(row.*Pointer)]));
        }},
        read_{[](const TimelineCell& cell, R& row) {
          const auto* word = std::get_if<std::string_view>(&cell);
          const auto found = word == nullptr ? std::end(Words)
                                             : std::find(std::begin(Words), std::end(Words), *word);
          if (found == std::end(Words)) return false;
          using Type = std::remove_reference_t<decltype(row.*Pointer)>;
          row.*Pointer = static_cast<Type>(found - std::begin(Words));
          return true;
        }} {}

  /// Returns the member of a row as a cell. Texts are copied into the timeline.
  [[nodiscard]] TimelineCell cell(const R& row, Timeline& timeline) const {
    return write_(row, timeline);
  }
  /// Reads a cell into the member of a row. Returns false if the cell has another type.
  [[nodiscard]] bool read(const TimelineCell& cell, R& row) const { return read_(cell, row); }

 private:
  TimelineCell (*write_)(const R&, Timeline&);
  bool (*read_)(const TimelineCell&, R&);
};

/// A column of a domain's schedule and the member of a row that it shows.
template <class R>
struct ScheduleColumn {
  TimelineColumn column;  ///< the name, unit and role
  CellMember<R> member;   ///< the member of a row
};

/// Returns the columns of a table in its order, for Domain::schedule.
template <class R>
[[nodiscard]] std::vector<TimelineColumn> columns_of(std::span<const ScheduleColumn<R>> table) {
  std::vector<TimelineColumn> out;
  for (const ScheduleColumn<R>& column : table) out.push_back(column.column);
  return out;
}

/// Appends one row to a timeline that has the table's columns. Texts are copied into the timeline.
template <class R>
void add_row(Timeline& timeline, std::span<const ScheduleColumn<R>> table,
             const std::type_identity_t<R>& row) {
  timeline.add_row([&](std::size_t i) { return table[i].member.cell(row, timeline); });
}

/// Returns the rows of a timeline in its order; their texts live in the timeline.
/// @returns bad_value if the timeline does not fit the table: other columns, or a cell of another type
template <class R>
[[nodiscard]] Result<std::vector<R>> rows_from(std::span<const ScheduleColumn<R>> table,
                                               const Timeline& timeline) {
  if (timeline.columns().size() != table.size()) {
    return detail::wrong_columns(timeline.columns().size(), table.size());
  }
  std::vector<R> out(timeline.rows());
  for (std::size_t row = 0; row < out.size(); ++row) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (table[i].member.read(timeline.row(row)[i], out[row])) continue;
      return detail::wrong_cell(row, table[i].column.name);
    }
  }
  return out;
}

}  // namespace holdfast
