#pragma once

#include "holdfast/answers/places.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The candidates for the next word of a command line that is being typed.
struct Completion {
  enum class Paths { none, files, folders };
  struct Candidate {
    std::string text;
    std::string about;
  };

  Paths paths = Paths::none;  ///< whether a file or folder name is possible too
  bool is_open = false;       ///< true if the word goes on after the candidate, without a blank
  std::vector<Candidate> candidates;
};

/// Returns these candidates.
/// @param root   the command line as `describe --json` describes it: options, and verbs with their options
/// @param words  the words after the program's name; the last one is being typed and may be empty
[[nodiscard]] Completion completion_of(const Value& root, std::span<const Domain* const> domains,
                                       const Places& places, std::span<const std::string> words);

/// The arguments of `complete --shell SHELL -- WORDS...`, which the functions of `holdfast completion SHELL` call.
struct Typed {
  std::string shell;
  std::vector<std::string> words;
};
/// Returns the words that were typed. It joins those that bash has cut at colons and equality signs.
/// @param arguments  the arguments after "complete"
[[nodiscard]] Typed typed_words(std::span<const std::string> arguments);

/// Returns one line with the kind (none, open, files, folders), then one candidate per line, with its description after a tabulator.
/// For bash, whose words begin after the last colon or equality sign, a candidate is only what follows that sign.
[[nodiscard]] std::string completion_text(const Completion& completion, const Typed& typed);

/// The shells that have a script.
inline constexpr std::string_view kShells = "bash|zsh|fish";
/// Returns the script that makes a shell ask for candidates; packages install the same files.
[[nodiscard]] Result<std::string_view> completion_script(std::string_view shell);

}  // namespace holdfast
