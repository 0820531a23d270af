#pragma once

#include "holdfast/answers/argument.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// An instance as somebody asks for it: a document, arguments for its fields, or both.
struct AskedInstance {
  const Domain* domain = nullptr;
  std::string file = {};  ///< file of the document; empty: there is none, "-": standard input
  /// The document that a program gives instead of a file; its errors keep their pointers.
  std::optional<Value> in_memory = {};
  std::vector<Argument> arguments = {};
  std::function<Result<std::string>()> standard_input = {};  ///< all of it
  /// Where relative paths start that stand inside a document from standard input.
  std::filesystem::path input_directory = ".";

  /// Returns what errors call the file.
  [[nodiscard]] std::string file_name() const;

  /// The document that is meant: read, arguments merged in, its header checked and taken off.
  struct Input {
    Value document = Value::object();
    std::filesystem::path directory = ".";  ///< where relative paths inside the document start
  };
  [[nodiscard]] Result<Input> read() const;

  /// Says where an error about the document comes from: the argument that gave the value (then the command line is wrong),
  /// else the file.
  [[nodiscard]] Error placed(Error error, const Value& document) const;
  /// Returns true for an error about something that is missing where no document was given: then it is worth saying how to give one.
  [[nodiscard]] bool is_lacking(const Error& placed) const;

 private:
  [[nodiscard]] Result<Value> read_file_or_input() const;
};

/// Returns the refusal of a file that does not exist, with what may have been meant: "8h", "20 minutes".
[[nodiscard]] Error no_such_instance(const std::string& text, std::span<const Parameter> fields);

}  // namespace holdfast
