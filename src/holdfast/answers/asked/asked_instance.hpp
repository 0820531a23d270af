#pragma once

#include "holdfast/answers/asked/argument.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// The instance that a user asks for: a document, arguments for its fields, or both.
struct AskedInstance {
  const Domain* domain = nullptr;  ///< the domain of the instance
  std::string file = {};           ///< file of the document; empty: none, "-": standard input
  /// A document that a program passes instead of a file. Its errors keep their pointers.
  std::optional<Value> in_memory = {};
  std::vector<Argument> arguments = {};  ///< arguments for the fields of the instance
  std::function<Result<std::string>()> standard_input = {};  ///< reads all of standard input
  /// The folder to which relative paths refer in a document from standard input.
  std::filesystem::path input_directory = ".";

  /// Returns the name of the file for errors.
  [[nodiscard]] std::string file_name() const;

  /// The resulting document: read, with arguments merged in and its header checked and removed.
  struct Input {
    Value document = Value::object();
    /// Folder to which relative paths inside the document refer.
    std::filesystem::path directory = ".";
    std::vector<std::string> taken =
        {};  ///< what the file was taken for, if it holds recorded data
  };
  /// Reads and merges the document. A file of recorded data becomes the argument of the only field that reads such data.
  [[nodiscard]] Result<Input> read();

  /// Adds the origin to an error about the document: the argument that gave the value (then the command line is wrong),
  /// otherwise the file.
  [[nodiscard]] Error placed(Error error, const Value& document) const;
  /// Returns true for an error about a missing value if no document was given. It is then useful to say how to give one.
  [[nodiscard]] bool is_lacking(const Error& placed) const;

 private:
  [[nodiscard]] Result<Value> read_file_or_input(Input& input);
  [[nodiscard]] Result<Value> data_in_place_of_document(Input& input, Error no_document);
};

/// Returns the error for a file that does not exist, with what the user may have meant: "8h", "20 minutes".
[[nodiscard]] Error no_such_instance(const std::string& text, std::span<const Parameter> fields);

}  // namespace holdfast
