#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Arguments for rows of a table of parameters: options of a command line, keywords of a binding. They go into a document
/// at the pointers of their rows, and an error about the document finds its way back to them.
namespace holdfast {

struct Argument {
  const Parameter* parameter = nullptr;
  std::string place;           ///< what errors call it: "--work"
  std::optional<Value> given;  ///< a text is read as on the command line; none: it was not given

  /// Returns where in the document it goes.
  [[nodiscard]] std::string pointer() const;
};

/// Returns what was given, as a document holds it. Errors are those of a wrong command line, placed at the argument.
/// @pre argument.given
[[nodiscard]] Result<Value> read_argument(const Argument& argument);

/// Returns what was given, by the parameters' names.
[[nodiscard]] Result<Value> values_of(std::span<const Argument> arguments);

/// Writes what was given into a document, at each parameter's pointer.
/// @param files_from_here  paths of Kind::file become absolute, because the document lies elsewhere
[[nodiscard]] Status merge_into(Value& document, std::span<const Argument> arguments,
                                bool files_from_here);

/// Returns the place of the argument that was given and wrote the value at this pointer (or around it); empty if none did.
[[nodiscard]] std::string given_at(std::span<const Argument> arguments, std::string_view pointer);

/// Returns the place of the argument that would write the value at this pointer; empty if none would.
/// @param or_inside  also the first number inside an object there
[[nodiscard]] std::string writer_of(std::span<const Argument> arguments, std::string_view pointer,
                                    bool or_inside);

/// Returns true for the place of an argument that was not given.
[[nodiscard]] bool is_absent(std::span<const Argument> arguments, std::string_view place);

}  // namespace holdfast
