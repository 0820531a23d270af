#pragma once

#include "holdfast/answers/places.hpp"
#include "holdfast/base/error.hpp"

#include <atomic>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::cli {

/// Where a command speaks: results on `out`, everything else on `err`. Nothing in apps/ but main.cpp touches the
/// process (its streams, its environment, its signals), so that a test runs any command in memory.
class Console {
 public:
  /// What the two streams are connected to.
  struct Terminal {
    bool out = false;    ///< standard output is a terminal
    bool err = false;    ///< standard error is one
    int width = 0;       ///< columns of the terminal; 0: unlimited
    bool color = false;  ///< a terminal, and NO_COLOR is not set
  };

  Console(std::ostream& out, std::ostream& err, std::istream& in);
  Console(std::ostream& out, std::ostream& err, std::istream& in, Terminal terminal,
          const std::atomic<bool>* interrupted);

  [[nodiscard]] std::ostream& out() { return *out_; }
  [[nodiscard]] std::ostream& err() { return *err_; }
  [[nodiscard]] std::istream& in() { return *in_; }
  [[nodiscard]] const Terminal& terminal() const { return terminal_; }

  /// Set when the user asked to stop (Ctrl-C); null where nobody can.
  [[nodiscard]] const std::atomic<bool>* interrupted() const { return interrupted_; }

  /// Where relative paths start that stand inside a document from standard input.
  [[nodiscard]] const std::filesystem::path& input_directory() const { return input_directory_; }
  void set_input_directory(std::filesystem::path directory);

  /// For a command that stands in a file (a check vector, a reproduction): it says its answer, runs no command that
  /// writes files, and writes none but this one, if there is one.
  void keep_to_answers(std::string only_file = {});
  [[nodiscard]] bool keeps_to_answers() const { return keeps_to_answers_; }
  [[nodiscard]] const std::string& only_file() const { return only_file_; }

  /// Where the files lie that holdfast brings along, and how it is started elsewhere: those of this process, unless
  /// a program that embeds this one sets others.
  [[nodiscard]] const Places& places() const { return places_; }
  void set_places(Places places) { places_ = std::move(places); }

  /// The command that runs, as it would be typed again.
  [[nodiscard]] const std::string& command() const { return command_; }
  void set_command(std::string command) { command_ = std::move(command); }

  /// Prints "holdfast: PLACE: MESSAGE" on standard error and sets the exit status that belongs to the error.
  void refuse(const Error& error);
  /// The same for a wrong command line (exit status 2), with what to do next where that helps.
  void refuse_usage(std::string_view message, std::string_view remedy = {});
  /// "holdfast: warning: ..." on standard error; nothing under --quiet.
  void warn(std::string_view message);
  /// A line on standard error, unless --quiet.
  void note(std::string_view message);
  /// A line on standard error under --verbose.
  void detail(std::string_view message);

  void set_quiet(bool quiet) { quiet_ = quiet; }
  void set_verbose(bool verbose) { verbose_ = verbose; }
  [[nodiscard]] bool is_quiet() const { return quiet_; }

  /// The exit status so far: 0, or that of the first refusal.
  [[nodiscard]] int status() const { return status_; }
  /// It ran, and the answer is "no" (exit status 1), unless something worse has happened.
  void answer_no() { set_status(1); }
  void set_status(int status) {
    if (status_ == 0) status_ = status;
  }

 private:
  std::ostream* out_;
  std::ostream* err_;
  std::istream* in_;
  Terminal terminal_;
  const std::atomic<bool>* interrupted_ = nullptr;
  std::filesystem::path input_directory_ = ".";
  Places places_;
  std::string command_;
  std::string only_file_;
  bool keeps_to_answers_ = false;
  bool quiet_ = false;
  bool verbose_ = false;
  int status_ = 0;
};

}  // namespace holdfast::cli
