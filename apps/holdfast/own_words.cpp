#include "holdfast/own_words.hpp"

#include "holdfast/answers/asked/option_hint.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace holdfast::cli {
namespace {

/// One word of a command line: an option with its value behind "=", or another word.
struct Word {
  std::string text;

  [[nodiscard]] bool is_option() const { return text.starts_with("--") && text.size() > 2; }
  [[nodiscard]] std::string name() const { return text.substr(0, text.find('=')); }
  [[nodiscard]] std::string value() const {
    const auto equals = text.find('=');
    return equals == std::string::npos ? std::string() : text.substr(equals + 1);
  }
};

/// The words of a command line, up to "--", on their way into those of the command.
class OwnWords {
 public:
  OwnWords(const CLI::App& root, Console& console) : command_{&root}, console_{console} {}

  void add(const std::string& text) {
    Word word{text};
    if (!text.starts_with('-')) {
      if (!verbs_of(*command_).empty()) word.text = entered(text);
    } else if (word.is_option() && !is_known(word.name())) {
      if (const std::string same = same_option(options_of(*command_), word.name()); !same.empty()) {
        console_.add_taken(fmt::format("{} was taken as {}", in_quotes(word.name()), same));
        word.text = same + word.text.substr(word.name().size());
      }
    }
    words_.push_back(std::move(word));
  }

  [[nodiscard]] std::vector<std::string> take() {
    std::vector<std::string> given;
    for (const Word& word : words_) given.push_back(word.name());
    const std::vector<std::string> names = options_of(*command_);
    for (auto it = words_.begin(); it != words_.end();) {
      const bool is_foreign = it->is_option() && !is_known(it->name());
      const std::string_view other =
          is_foreign ? idle_beside(names, it->name(), given) : std::string_view();
      if (!other.empty()) {
        const std::string_view why = given_instead(names, it->name());
        console_.add_taken(fmt::format("{} changes nothing beside {}: {}", in_quotes(it->name()),
                                       other, why.substr(0, why.find(','))));
        it = without(it);
      } else if (is_foreign && (it->name() == "--bandwidth" || it->name() == "--bw")) {
        it = joined_with_sizes(it);
      } else {
        ++it;
      }
    }
    std::vector<std::string> out;
    for (Word& word : words_) out.push_back(std::move(word.text));
    return out;
  }

 private:
  using Place = std::vector<Word>::iterator;

  [[nodiscard]] bool is_known(const std::string& name) const {
    return command_->get_option_no_throw(name) != nullptr;
  }

  // Enters the verb of that name, or the one of which it is another name.
  std::string entered(const std::string& text) {
    const std::vector<std::string> verbs = verbs_of(*command_);
    const bool is_verb = std::ranges::find(verbs, text) != verbs.end();
    const std::string own = is_verb ? text : same_verb(verbs, text);
    if (own.empty()) return text;
    if (!is_verb) console_.add_taken(fmt::format("{} was taken as {}", in_quotes(text), own));
    command_ = command_->get_subcommand(own);
    return own;
  }

  // Returns the place of the value of an option that is a word of its own; the end if there is none.
  Place value_of(Place option) {
    if (option->text.find('=') != std::string::npos || std::next(option) == words_.end())
      return words_.end();
    return std::next(option)->text.starts_with('-') ? words_.end() : std::next(option);
  }

  // Removes an option and its value.
  Place without(Place option) {
    const Place value = value_of(option);
    return words_.erase(option, value == words_.end() ? std::next(option) : std::next(value));
  }

  // Makes durations of the sizes that are given, if there are any.
  Place joined_with_sizes(Place option) {
    const Place place = value_of(option);
    const std::string bandwidth = place == words_.end() ? option->value() : place->text;
    bool has_size = false;
    for (Word& word : words_) {
      const std::string size = word.is_option() ? word.value() : word.text;
      const bool is_size =
          !size.empty() && size.ends_with('B') && parse_quantity(size, Unit::bytes);
      if (!is_size || bandwidth.empty()) continue;
      word.text += "@" + bandwidth;
      console_.add_taken(fmt::format("{} and {} {} were taken as {}@{}", in_quotes(size),
                                     option->name(), bandwidth, size, bandwidth));
      has_size = true;
    }
    return has_size ? without(option) : std::next(option);
  }

  const CLI::App* command_;
  Console& console_;
  std::vector<Word> words_;
};

}  // namespace

std::vector<std::string> verbs_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* verb : command.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> in_own_words(const CLI::App& root, std::span<const std::string> arguments,
                                      Console& console) {
  OwnWords words(root, console);
  const auto end = std::ranges::find(arguments, "--");
  for (auto it = arguments.begin(); it != end; ++it) words.add(*it);
  std::vector<std::string> out = words.take();
  out.insert(out.end(), end, arguments.end());
  return out;
}

}  // namespace holdfast::cli
