#pragma once

#include "holdfast/answers/format.hpp"
#include "holdfast/base/error.hpp"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// `--format table|csv|markdown|json` of what goes to standard output, and how it agrees with `--json` and with the
/// ending of a file that `--output` names.
class FormatOption {
 public:
  void add(CLI::App& command);

  /// What standard output gets: the one named, JSON under `json`, a table otherwise. Refuses an unknown name,
  /// and another one beside --json.
  [[nodiscard]] Result<AnswerFormat> read(bool json) const;
  /// What a file gets: as its ending says; where that says nothing, what was named, and JSON where nothing was.
  /// Refuses an ending that says something else than what was named.
  [[nodiscard]] Result<AnswerFormat> of_file(const std::string& output, bool json) const;

 private:
  [[nodiscard]] Result<std::optional<AnswerFormat>> named(bool json) const;

  std::string text_;
};

}  // namespace holdfast::cli
