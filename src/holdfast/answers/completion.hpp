#pragma once

#include "holdfast/answers/files/places.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The candidates for the next word of a command line that is being typed.
struct Completion {
  /// The kind of paths that are possible.
  enum class Paths { none, files, folders };
  /// One candidate.
  struct Candidate {
    std::string text;   ///< the word
    std::string about;  ///< its description
  };

  Paths paths = Paths::none;  ///< whether a file or folder name is possible as well
  bool is_open = false;       ///< true if the word continues after the candidate, without a blank
  std::vector<Candidate> candidates;
};

/// Returns the candidates for the next word.
/// @param root   the command line as `describe --json` describes it: options, and verbs with their options
/// @param words  the words after the program's name; the last one is still being typed and may be empty
[[nodiscard]] Completion completion_of(const Value& root, std::span<const Domain* const> domains,
                                       const Places& places, std::span<const std::string> words);

/// The arguments of `complete --shell SHELL -- WORDS...`, which the functions of `holdfast completion SHELL` call.
struct Typed {
  std::string shell;               ///< the name of the shell: "bash"
  std::vector<std::string> words;  ///< the words after the program's name
};
/// Returns the words that were typed, and joins those that bash has cut at colons and equals signs.
/// @param arguments  the arguments after "complete"
[[nodiscard]] Typed typed_words(std::span<const std::string> arguments);

/// Returns one line with the kind (none, open, files, folders), then one candidate per line, followed by a tab and its
/// description. In bash a word begins after the last colon or equals sign, so a candidate is only the part after that sign.
[[nodiscard]] std::string completion_text(const Completion& completion, const Typed& typed);

/// The shells for which there is a script.
inline constexpr std::string_view kShells = "bash|zsh|fish";
/// Returns the script with which a shell asks for candidates. Packages install the same files.
[[nodiscard]] Result<std::string_view> completion_script(std::string_view shell);

}  // namespace holdfast
