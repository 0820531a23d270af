#pragma once

#include "holdfast/answers/format.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/talk_options.hpp"

#include <optional>
#include <string>
#include <utility>

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// How a verb answers.
struct AnswerForm {
  bool is_instance = false;   ///< true: with a document that other commands read
  bool has_schedule = false;  ///< true: --schedule writes its schedules
  bool takes_format = true;   ///< false: --format means the format of the input
  bool takes_output = true;   ///< false: what it writes has options of its own
};

/// The options for an answer, and its way out: --json, --quiet, --verbose, --format, --output, --force and --schedule mean the same
/// for every verb that answers.
class AnswerOptions {
 public:
  /// @param command  domain and verb: "checkpoint plan"; a file in a directory is called checkpoint-plan.json
  AnswerOptions(std::string command, AnswerForm form) : command_(std::move(command)), form_(form) {}

  void add(CLI::App& command);

  /// Sets the console, and refuses formats and files that do not fit together before anything is computed.
  [[nodiscard]] Status begin(Console& console);
  /// Returns the format of standard output. @pre begin() returned no error
  [[nodiscard]] AnswerFormat format() const { return format_; }
  /// Writes the files that were asked for, prints the answer and its warnings, and sets the exit status.
  /// @param note  a line after the warnings; may be empty
  [[nodiscard]] Status deliver(Answer answer, Console& console, const std::string& note = {}) const;

 private:
  [[nodiscard]] Result<std::optional<AnswerFormat>> named_format() const;
  [[nodiscard]] Status check_schedule() const;
  [[nodiscard]] Status deliver_schedules(Answer& answer, Console& console) const;
  [[nodiscard]] Status check_document() const;
  [[nodiscard]] Status check_text(const std::string& text) const;
  [[nodiscard]] Status write_file(const std::string& text, AnswerFormat format,
                                  Console& console) const;

  std::string command_;
  AnswerForm form_;
  TalkOptions talk_;
  std::string format_text_;
  std::string output_;
  std::string schedule_;
  bool force_ = false;
  AnswerFormat format_ = AnswerFormat::table;
  AnswerFormat file_format_ = AnswerFormat::json;
};

}  // namespace holdfast::cli
