#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// In which form an answer is given.
enum class AnswerFormat : std::uint8_t { table, csv, markdown, json };

/// ".txt", ".csv", ".md", ".json".
[[nodiscard]] std::string_view ending_of(AnswerFormat format);

/// True where a file's name says a format.
[[nodiscard]] bool names_format(const std::string& output);

/// `--format table|csv|markdown|json` of what goes to standard output, and how it agrees with `--json` and with the
/// ending of a file that `--output` names.
class FormatOption {
 public:
  void add(CLI::App& command);

  /// What standard output gets: the one named, JSON under `json`, a table otherwise. Refuses a name that nobody knows,
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
