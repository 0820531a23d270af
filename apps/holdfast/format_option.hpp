#pragma once

#include "holdfast/answers/format.hpp"
#include "holdfast/base/error.hpp"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// The option `--format table|csv|markdown|json`, the format of standard output, and its agreement with `--json` and with the
/// ending of the file that `--output` names.
class FormatOption {
 public:
  void add(CLI::App& command);

  /// Returns the format of standard output: the one that was given, JSON under `json`, otherwise a table. It is an error if the
  /// name is unknown, or differs from JSON under `json`.
  [[nodiscard]] Result<AnswerFormat> read(bool json) const;
  /// Returns the format of a file: that of its ending or, if the ending names none, the one that was given, or JSON if none
  /// was. It is an error if the ending names another format than the one that was given.
  [[nodiscard]] Result<AnswerFormat> of_file(const std::string& output, bool json) const;

 private:
  [[nodiscard]] Result<std::optional<AnswerFormat>> named(bool json) const;

  std::string text_;
};

}  // namespace holdfast::cli
