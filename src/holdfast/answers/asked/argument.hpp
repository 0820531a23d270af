#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Arguments for rows of a parameter table: options of a command line, or keywords of a binding. They are written into a
/// document at the pointers of their rows, and an error about the document is traced back to them.
namespace holdfast {

/// One argument, given or not.
struct Argument {
  const Parameter* parameter = nullptr;  ///< the row that describes it
  std::string place;                     ///< name of the argument in errors: "--work"
  /// A text is read as on the command line; nothing: the argument was not given.
  std::optional<Value> given;

  /// Returns the pointer at which it is written into the document.
  [[nodiscard]] std::string pointer() const;
};

/// Returns the value of the argument as a document holds it. Errors are those of a wrong command line, placed at the argument.
/// @pre argument.given
[[nodiscard]] Result<Value> read_argument(const Argument& argument);

/// Returns the given values by parameter name.
[[nodiscard]] Result<Value> values_of(std::span<const Argument> arguments);

/// Writes the given values into a document, at each parameter's pointer.
/// @param files_from_here  true: paths of Kind::file become absolute, because the document lies elsewhere
[[nodiscard]] Status merge_into(Value& document, std::span<const Argument> arguments,
                                bool files_from_here);

/// Returns the place of the given argument that wrote the value at this pointer (or around it); empty if there is none.
[[nodiscard]] std::string given_at(std::span<const Argument> arguments, std::string_view pointer);

/// Returns the place of the argument that could write the value at this pointer; empty if there is none.
/// @param or_inside  true: also consider the first number inside an object at the pointer
[[nodiscard]] std::string writer_of(std::span<const Argument> arguments, std::string_view pointer,
                                    bool or_inside);

/// Returns a message about a document in which the fields that it names in quotes are named as the arguments that write them:
/// "found both --mtbf and --platform-mtbf".
[[nodiscard]] std::string named_as_given(std::string message, std::span<const Argument> arguments);

/// Returns true if this is the place of an argument that was not given.
[[nodiscard]] bool is_absent(std::span<const Argument> arguments, std::string_view place);

}  // namespace holdfast
