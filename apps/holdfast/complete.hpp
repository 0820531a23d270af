#pragma once

#include "holdfast/verbs.hpp"

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// What may stand next in a command line that is being typed.
struct Completion {
  enum class Paths { none, files, folders };
  struct Candidate {
    std::string text;
    std::string about;
  };

  Paths paths = Paths::none;  ///< a name of a file or folder may stand there too
  bool is_open = false;       ///< the word goes on behind the candidate: no blank
  std::vector<Candidate> candidates;
};

/// @param words  behind the program's name; the last one is being typed, and may be empty
[[nodiscard]] Completion completion_of(const CLI::App& root, Domains domains,
                                       const Console& console, std::span<const std::string> words);

/// `complete --shell SHELL -- WORDS...`, which the functions of `holdfast completion SHELL` call: what they were typing.
struct Typed {
  std::string shell;
  std::vector<std::string> words;
};
/// bash cuts words at colons and equality signs; here they are whole again. The arguments stand behind "complete".
[[nodiscard]] Typed typed_words(std::span<const std::string> arguments);

/// A line that says how (none, open, files, folders), then a candidate a line, with what it is behind a tabulator.
/// To bash, whose word begins behind the last colon or equality sign, only what follows it.
void print_completion(const Completion& completion, const Typed& typed, Console& console);

/// `holdfast completion SHELL`
void add_completion(CLI::App& root, Console& console);

}  // namespace holdfast::cli
