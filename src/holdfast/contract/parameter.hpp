#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/base/units.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

/// The kind of value that a parameter takes.
enum class Kind : std::uint8_t {
  number,   ///< a real number, in `unit`
  integer,  ///< a whole number
  flag,     ///< present or absent; true or false in a document
  choice,   ///< one of `choices`
  text,     ///< any text
  numbers,  ///< a list: T,T,... on the command line, an array in a document; elements in `unit`
  file,     ///< the path of an input file
  texts,    ///< a list of texts: words on the command line, an array in a document
};

/// Something that a user may set: a parameter of a strategy, a field of an instance, or an option of a verb. Help texts, shell
/// completion, readers of documents and bindings all use these rows.
struct Parameter {
  std::string_view name;           ///< a name such as "work"; the option is --work, with - for _
  std::string_view summary;        ///< one line, lower case, no full stop
  Kind kind = Kind::number;        ///< the kind of its value
  Unit unit = Unit::none;          ///< the unit of a number
  Range range = {};                ///< the numbers that it may take, in that unit
  std::string_view fallback = {};  ///< the default as a user would write it; empty if there is none
  std::span<const std::string_view> choices = {};  ///< the words of Kind::choice
  std::string_view pointer = {};  ///< the pointer of the field in a document; if empty, "/" + name
  /// True for a parameter that has no default and must be given.
  bool is_required = false;
  /// The name of its value in help: "NAME". If it is empty, kind and unit decide.
  std::string_view value_name = {};
  /// The heading in help; if empty, that of its table. Help does not list parameters under kHiddenHeading.
  std::string_view heading = {};
  /// The kind of recorded data that a file holds, as `trace formats` names it: "failures". A file of that kind that is given in
  /// place of the document is taken for this parameter, if no other reads that kind.
  std::string_view reads = {};
};

/// The heading of options that programs use, and that users need not know.
inline constexpr std::string_view kHiddenHeading = "hidden";

/// Returns the option of that name: "--checkpoint-cost" for checkpoint_cost.
[[nodiscard]] std::string option_name(std::string_view name);

/// Returns an error about a field as one about the option of that name: "--size" for "/size", "--size 2" for "/size 2".
[[nodiscard]] Error as_option(std::string_view name, Error error);

/// Returns the document value for a text from the command line; errors are placed at `where`.
[[nodiscard]] Result<Value> parse_parameter(const Parameter& parameter, std::string_view text,
                                            std::string_view where);

/// Returns the document value for a value that a program passes. A text is read as on the command line, a number is in base
/// units, and a list of numbers is an array or one number. It refuses what parse_parameter() refuses.
[[nodiscard]] Result<Value> read_parameter(const Parameter& parameter, const Value& value,
                                           std::string_view where);

}  // namespace holdfast
