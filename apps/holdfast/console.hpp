#pragma once

#include "holdfast/answers/files/places.hpp"
#include "holdfast/base/error.hpp"

#include <atomic>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::cli {

/// The input and output of a command: results on `out`, everything else on `err`. In apps/, only main.cpp uses the streams, the
/// environment and the signals of the process, so that a test can run any command in memory.
class Console {
 public:
  /// The terminal to which the two streams are connected.
  struct Terminal {
    bool out = false;    ///< standard output is a terminal
    bool err = false;    ///< standard error is a terminal
    int width = 0;       ///< columns of the terminal of standard output; 0: unlimited
    int err_width = 0;   ///< those of standard error
    bool color = false;  ///< standard output is a terminal, and NO_COLOR is not set
  };

  Console(std::ostream& out, std::ostream& err, std::istream& in);
  Console(std::ostream& out, std::ostream& err, std::istream& in, Terminal terminal,
          const std::atomic<bool>* interrupted);

  [[nodiscard]] std::ostream& out() { return *out_; }
  [[nodiscard]] std::ostream& err() { return *err_; }
  [[nodiscard]] std::istream& in() { return *in_; }
  [[nodiscard]] const Terminal& terminal() const { return terminal_; }

  /// Returns a flag that is set when the user asks to stop (Ctrl-C); null if that is impossible.
  [[nodiscard]] const std::atomic<bool>* interrupted() const { return interrupted_; }

  /// Returns the folder to which relative paths in a document from standard input refer.
  [[nodiscard]] const std::filesystem::path& input_directory() const { return input_directory_; }
  void set_input_directory(std::filesystem::path directory);

  /// Restricts a command that comes from a file (a check vector, a reproduction): it prints its answer, runs no command that
  /// writes files, and writes no file except `only_file`, if there is one.
  void keep_to_answers(std::string only_file = {});
  [[nodiscard]] bool keeps_to_answers() const { return keeps_to_answers_; }
  [[nodiscard]] const std::string& only_file() const { return only_file_; }

  /// Returns the folders of the files that are part of holdfast, and the command that starts it elsewhere. They are those of
  /// this process, unless a program that embeds this one sets others.
  [[nodiscard]] const Places& places() const { return places_; }
  void set_places(Places places) { places_ = std::move(places); }

  /// Returns the command that runs, as a user would type it.
  [[nodiscard]] const std::string& command() const { return command_; }
  void set_command(std::string command) { command_ = std::move(command); }

  /// Return what words of the command were taken for: "'--ckpt' was taken as --checkpoint".
  [[nodiscard]] const std::vector<std::string>& taken() const { return taken_; }
  void add_taken(std::string what) { taken_.push_back(std::move(what)); }

  /// Prints "holdfast: PLACE: MESSAGE" on standard error and sets the exit status that belongs to the error.
  void refuse(const Error& error);
  /// Does the same for a wrong command line (exit status 2).
  /// @param remedy  what the user can do; may be empty
  void refuse_usage(std::string_view message, std::string_view remedy = {});
  /// Prints "holdfast: warning: ..." on standard error, unless --quiet.
  void warn(std::string_view message);
  /// Prints a line on standard error, unless --quiet.
  void note(std::string_view message);
  /// Prints a line on standard error under --verbose.
  void detail(std::string_view message);

  void set_quiet(bool quiet) { quiet_ = quiet; }
  void set_verbose(bool verbose) { verbose_ = verbose; }
  [[nodiscard]] bool is_quiet() const { return quiet_; }
  [[nodiscard]] bool is_verbose() const { return verbose_; }

  /// Returns the exit status so far: 0, or that of the first error.
  [[nodiscard]] int status() const { return status_; }
  /// Records that the answer is "no" (exit status 1), unless an error has set another status.
  void answer_no() { set_status(1); }
  void set_status(int status) {
    if (status_ == 0) status_ = status;
  }

 private:
  /// Prints a text on standard error, in lines of the width of the terminal if it is one.
  void say(std::string_view text);

  std::ostream* out_;
  std::ostream* err_;
  std::istream* in_;
  Terminal terminal_;
  const std::atomic<bool>* interrupted_ = nullptr;
  std::filesystem::path input_directory_ = ".";
  Places places_;
  std::string command_;
  std::vector<std::string> taken_;
  std::string only_file_;
  bool keeps_to_answers_ = false;
  bool quiet_ = false;
  bool verbose_ = false;
  int status_ = 0;
};

}  // namespace holdfast::cli
