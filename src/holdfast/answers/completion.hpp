#pragma once

#include "holdfast/answers/places.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

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

/// @param root   the whole command line as `describe --json` tells it: options, and verbs with theirs
/// @param words  behind the program's name; the last one is being typed, and may be empty
[[nodiscard]] Completion completion_of(const Value& root, std::span<const Domain* const> domains,
                                       const Places& places, std::span<const std::string> words);

/// `complete --shell SHELL -- WORDS...`, which the functions of `holdfast completion SHELL` call: what they were typing.
struct Typed {
  std::string shell;
  std::vector<std::string> words;
};
/// bash cuts words at colons and equality signs; here they are whole again. The arguments stand behind "complete".
[[nodiscard]] Typed typed_words(std::span<const std::string> arguments);

/// Returns a line that says how (none, open, files, folders), then a candidate a line, with what it is behind a tabulator.
/// To bash, whose word begins behind the last colon or equality sign, only what follows it.
[[nodiscard]] std::string completion_text(const Completion& completion, const Typed& typed);

/// The shells that have a script.
inline constexpr std::string_view kShells = "bash|zsh|fish";
/// What makes a shell ask; packages install the same files.
[[nodiscard]] Result<std::string_view> completion_script(std::string_view shell);

}  // namespace holdfast
