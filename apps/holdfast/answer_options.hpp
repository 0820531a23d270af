#pragma once

#include "holdfast/answers/format.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/verb.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// How a verb answers.
struct AnswerForm {
  Gives gives = Gives::answer;  ///< what it hands back
  bool has_schedule = false;    ///< true: --schedule writes its schedules
  bool has_chart = false;       ///< true: --plot draws its chart
  bool has_read_as = false;     ///< true: --read-as says what its input is read as
  bool takes_output = true;     ///< false: what it writes has options of its own
  /// The file that it writes if the user names none, for help; empty: standard output.
  std::string_view file_name = {};
};

/// Returns the form of a verb of a table.
[[nodiscard]] AnswerForm form_of(const Verb& verb);

/// The options for an answer, and its way out: --json, --quiet, --verbose, --format, --output, --force, --plot and --schedule
/// mean the same for every verb.
class AnswerOptions {
 public:
  /// @param command  domain and verb: "checkpoint plan"; a file in a directory is called checkpoint-plan.json
  AnswerOptions(std::string command, AnswerForm form) : command_(std::move(command)), form_(form) {}

  void add(CLI::App& command);

  /// Sets the console, and refuses formats and files that do not fit together before anything is computed.
  [[nodiscard]] Status begin(Console& console);
  /// Returns the format of standard output. @pre begin() returned no error
  [[nodiscard]] AnswerFormat format() const { return format_; }
  /// Returns what the input is read as if the user said it by --format, as in 0.1.0; else an empty text.
  /// @pre begin() returned no error
  [[nodiscard]] const std::string& read_as() const { return read_as_; }
  /// Returns the parts of the answer that will be printed or written. @pre begin() returned no error
  [[nodiscard]] WantedParts wanted() const;
  /// Prints a part of the answer at once, unless the whole is wanted as a document.
  void show(const Answer& part, Console& console);
  /// Writes the files that were asked for, prints the answer and its warnings, and sets the exit status.
  [[nodiscard]] Status deliver(Answer answer, Console& console) const;

 private:
  [[nodiscard]] Result<std::optional<AnswerFormat>> named_format() const;
  void add_output(CLI::App& command);
  [[nodiscard]] Status check_schedule() const;
  [[nodiscard]] Status check_plot() const;
  [[nodiscard]] Status draw(const LineChart& chart, Console& console) const;
  [[nodiscard]] Status deliver_text(Answer& answer, Console& console) const;
  [[nodiscard]] Status deliver_file(const AnswerFile& file, Console& console) const;
  [[nodiscard]] Status deliver_schedules(Answer& answer, Console& console) const;
  [[nodiscard]] Status check_document() const;
  [[nodiscard]] Status check_text(const std::string& text) const;
  [[nodiscard]] Status write_file(const std::string& text, AnswerFormat format,
                                  Console& console) const;

  std::string command_;
  AnswerForm form_;
  bool json_ = false;
  bool quiet_ = false;
  bool verbose_ = false;
  std::string format_text_;
  std::string output_;
  std::string schedule_;
  std::string plot_;
  std::string read_as_;
  bool force_ = false;
  bool has_shown_ = false;  ///< a part of the answer is printed already
  AnswerFormat format_ = AnswerFormat::table;
  AnswerFormat file_format_ = AnswerFormat::json;
};

}  // namespace holdfast::cli
