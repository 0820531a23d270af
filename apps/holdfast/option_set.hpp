#pragma once

#include "holdfast/answers/asked/argument.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace holdfast::cli {

/// Returns the names of an option for CLI11: its letter too, if it has one, which is the same in every command.
/// @param option  with dashes
[[nodiscard]] std::string names_of(const std::string& option);

/// Command-line options made from rows of Parameters: names, help and checks come from the table, so that nothing is written
/// twice. Values are read as in documents.
class OptionSet {
 public:
  OptionSet();
  ~OptionSet();
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

  /// Adds an option for each parameter whose name the command does not have yet.
  /// @param group  heading in the help
  /// @param left_out  names of parameters without an option
  void add(CLI::App& command, std::span<const Parameter> parameters, const std::string& group,
           std::span<const std::string_view> left_out = {});
  /// Adds positional arguments, in order; all of them are optional.
  void add_positionals(CLI::App& command, std::span<const Parameter> parameters);

  /// Returns true for an option of an OptionSet that refuses an empty value itself, with a message that names what it expects.
  [[nodiscard]] static bool refuses_empty(CLI::Option& option);

  /// Returns the parameters with the values that were given for them.
  [[nodiscard]] std::vector<Argument> arguments() const;
  /// Returns the given values, by the parameters' names. Errors are those of a wrong command line, placed at the option.
  [[nodiscard]] Result<Value> values() const { return values_of(arguments()); }

 private:
  struct Entry;
  std::vector<std::unique_ptr<Entry>> entries_;
};

/// The name of a program and its arguments, which come after "--".
inline constexpr std::string_view kProgram = "COMMAND";
/// Adds them to a command.
void add_words(CLI::App& command, std::vector<std::string>& words);
/// Returns the name of a value in a help text: "DURATION", "N", "X,X,..." or the choices themselves.
[[nodiscard]] std::string value_name(const Parameter& parameter);
/// Returns the help line of a parameter: summary, default, range.
[[nodiscard]] std::string help_text(const Parameter& parameter);

}  // namespace holdfast::cli
