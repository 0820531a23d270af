#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::cli {

/// One command of a test session and what it must say. See tests/cli/README.md for the format of the files.
struct Step {
  std::size_t line = 0;  ///< of its `$` line
  std::string why{};     ///< the `#` line before it
  std::string command{};
  std::string input{};
  std::string output{};
  std::string errors{};
  int status = 0;
};

/// A text file as it was read: commands, files to make before them, and all other lines kept for rewriting.
struct Session {
  struct Part {
    enum class Kind { text, file, step } kind = Kind::text;
    std::string text;  ///< a line to keep; or the contents of the file
    std::string name;  ///< of the file
    Step step;
  };
  std::vector<Part> parts;
};

[[nodiscard]] Session read_session(std::string_view text);
[[nodiscard]] std::string write_session(const Session& session);

/// Words of a command line: blanks separate, single and double quotes hold together.
[[nodiscard]] std::vector<std::string> words_of(std::string_view command);

}  // namespace holdfast::cli
