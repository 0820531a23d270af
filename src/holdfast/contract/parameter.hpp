#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/base/units.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

enum class Kind : std::uint8_t {
  number,   ///< a real number, in `unit`
  integer,  ///< a whole number
  flag,     ///< present or absent; true or false in a document
  choice,   ///< one of `choices`
  text,     ///< anything
  numbers,  ///< a list: T,T,... on the command line, an array in a document; elements in `unit`
  file,     ///< the path of an input file
};

/// One thing that a user may set: a parameter of a strategy, a field of an instance, an option of a verb. Help texts,
/// shell completion, documents and bindings are all read from rows like this.
struct Parameter {
  std::string_view name;     ///< "work", "alpha"; the option is --work, with - for _
  std::string_view summary;  ///< one line, lower case, no full stop
  Kind kind = Kind::number;
  Unit unit = Unit::none;
  Range range = {};
  std::string_view fallback = {};                  ///< as the user would write it; empty: none
  std::span<const std::string_view> choices = {};  ///< for Kind::choice
  std::string_view pointer = {};  ///< where in the document it goes; empty: "/" + name
  bool is_required = false;       ///< of a strategy: it cannot do without, and there is no default
  std::string_view value_name = {};  ///< what help calls its value: "NAME"; empty: by kind and unit
  std::string_view heading = {};     ///< under which help lists it; empty: that of its table
};

/// "--checkpoint-cost" for checkpoint_cost.
[[nodiscard]] std::string option_name(std::string_view name);

/// A text from the command line as the document value that this parameter takes; errors carry `where`.
[[nodiscard]] Result<Value> parse_parameter(const Parameter& parameter, std::string_view text,
                                            std::string_view where);

/// The same of a value that a program gives: a text is read as on the command line, a number is in base units, a list of
/// numbers is an array or one number. What parse_parameter refuses is refused.
[[nodiscard]] Result<Value> read_parameter(const Parameter& parameter, const Value& value,
                                           std::string_view where);

}  // namespace holdfast
