#pragma once

#include "holdfast/base/units.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace holdfast {

/// What a member of a document holds.
enum class Holds : std::uint8_t {
  number,
  integer,
  flag,
  text,
  number_or_text,  ///< a number, or a word in its place: "never", "infinite"
  object,  ///< an object, whose own members another table describes, or that the user's input decides
  anything,
};

/// A member of the document that a verb prints with --json. Each verb has a table of them, from which help texts, manual pages,
/// the reference and the JSON Schema of the document are made:
///
///   constexpr auto kResults = std::to_array<ResultField>({
///       {"makespan", "time at which the last task ends", Unit::seconds},
///       {"tasks[].id", "identifier of a task", Holds::text},
///       {"target?", "machine that the task prefers; absent if it has none", Holds::integer}});
///
/// A path has the names from the document to the member, with dots between them. After a name, `?` says that the member may be
/// absent, and each `[]` that it is a list. The name `*` stands for names that the answer decides.
struct ResultField {
  /// Makes a member that holds a number.
  constexpr ResultField(std::string_view where, std::string_view what, Unit of = Unit::none)
      : path{where}, summary{what}, unit{of} {}
  /// Makes a member that holds something else.
  constexpr ResultField(std::string_view where, std::string_view what, Holds held)
      : path{where}, summary{what}, holds{held} {}
  /// Makes a member that is an object, or a list of objects, with these members.
  constexpr ResultField(std::string_view where, std::string_view what,
                        std::span<const ResultField> of_each)
      : path{where}, summary{what}, holds{Holds::object}, members{of_each} {}

  std::string_view path;     ///< where it stands, as above
  std::string_view summary;  ///< one line, lower case, no full stop
  Holds holds = Holds::number;
  Unit unit = Unit::none;  ///< the unit of a number
  std::span<const ResultField> members = {};
};

}  // namespace holdfast
