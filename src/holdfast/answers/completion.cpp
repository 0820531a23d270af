#include "holdfast/answers/completion.hpp"

#include "holdfast/answers/assets.hpp"
#include "holdfast/answers/citation.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/catalog/describe.hpp"
#include "holdfast/reproduction/item.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace holdfast {
namespace {

using Candidate = Completion::Candidate;
using Domains = std::span<const Domain* const>;

// The command that is selected by the words before the one that is being typed.
struct Reached {
  const Value* command = nullptr;
  const Domain* domain = nullptr;
  const Value* pending = nullptr;   ///< the option that waits for its value
  std::size_t arguments = 0;        ///< number of positional arguments before the word
  std::set<std::string> seen = {};  ///< options before the word
};

// Returns the rows of that name; empty if there are none.
std::span<const Value> rows_of(const Value& command, std::string_view name) {
  const Value* found = command.find(name);
  return found == nullptr ? std::span<const Value>() : std::span(*found->array_items());
}

const Value* row_named(std::span<const Value> rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [name](const Value& row) {
    return described_text(row, "name") == name;
  });
  return found == rows.end() ? nullptr : &*found;
}

bool is_argument(const Value& option) {
  return option.find("positional") != nullptr;
}

const Domain* domain_named(std::string_view name, Domains domains) {
  const auto found = std::find_if(domains.begin(), domains.end(),
                                  [name](const Domain* one) { return one->name == name; });
  return found == domains.end() ? nullptr : *found;
}

Reached reach(const Value& root, Domains domains, std::span<const std::string> words) {
  Reached now{.command = &root};
  for (const std::string& word : words) {
    if (now.pending != nullptr) {
      now.pending = nullptr;
    } else if (word.starts_with('-') && word.size() > 1) {
      const std::string name = word.substr(0, word.find('='));
      now.seen.insert(name);
      const Value* option = row_named(rows_of(*now.command, "options"), name);
      const bool takes_value = option != nullptr && described_text(*option, "kind") != "flag";
      if (takes_value && name.size() == word.size()) now.pending = option;
    } else if (const Value* verb = row_named(rows_of(*now.command, "verbs"), word)) {
      if (now.command == &root) now.domain = domain_named(word, domains);
      now = {.command = verb, .domain = now.domain};
    } else {
      ++now.arguments;
    }
  }
  return now;
}

// Returns true for "csv|json", and false for the "FILE|DIR" of a help text.
bool are_choices(std::string_view type) {
  const bool has_upper = std::any_of(type.begin(), type.end(), [](char c) {
    return std::isupper(static_cast<unsigned char>(c)) != 0;
  });
  return type.find('|') != type.npos && !has_upper;
}

std::vector<Candidate> choices_in(std::string_view type) {
  std::vector<Candidate> out;
  for (const std::string_view choice : split(type, '|')) out.push_back({std::string(choice), ""});
  return out;
}

std::vector<Candidate> candidates_of(std::span<const Value> rows) {
  std::vector<Candidate> out;
  for (const Value& row : rows)
    out.push_back({described_text(row, "name"), described_text(row, "summary")});
  return out;
}

// Returns a list of the catalog that belongs to no domain: "laws", "formats".
std::vector<Candidate> listed(std::string_view list) {
  const Value catalog = describe(Domains());
  return candidates_of(rows_of(catalog, list));
}

/// A collector of the candidates that begin like the word that is being typed.
class Offer {
 public:
  Offer(Completion& out, std::string_view word) : out_(&out), word_(word) {}

  /// Adds candidates. @param before  the part of the same word before the candidate
  void add(const std::vector<Candidate>& candidates, std::string_view before = {},
           std::string_view after = {}) {
    for (const Candidate& one : candidates) {
      std::string text = std::string(before) + one.text + std::string(after);
      if (text.starts_with(word_)) out_->candidates.push_back({std::move(text), one.about});
    }
  }

 private:
  Completion* out_;
  std::string_view word_;
};

// Offers the strategies of a list and, after a colon, their parameters.
void offer_strategies(const Domain& domain, std::string_view before, std::string_view text,
                      Offer& offer, Completion& out) {
  const std::size_t comma = text.rfind(',') + 1;  // 0 if there is none
  const std::string_view one = text.substr(comma);
  const std::string head = std::string(before) + std::string(text.substr(0, comma));
  const std::size_t colon = one.rfind(':');
  if (colon == one.npos) {
    std::vector<Candidate> names;
    for (const StrategyEntry& entry : domain.strategies) {
      if (!entry.takes_rule) names.push_back({std::string(entry.name), std::string(entry.summary)});
    }
    offer.add(names, head);
    return;
  }
  const auto& rows = domain.strategies;
  const auto entry = std::find_if(rows.begin(), rows.end(),
                                  [name = one.substr(0, one.find(':'))](const auto& row) {
                                    return row.name == name && !row.takes_rule;
                                  });
  if (entry == rows.end()) return;
  const std::string front = head + std::string(one.substr(0, colon + 1));
  const std::string_view last = one.substr(colon + 1);
  for (const Parameter& parameter : entry->parameters) {
    const std::string name = std::string(parameter.name) + "=";
    if (last.starts_with(name)) {
      std::vector<Candidate> choices;
      for (const std::string_view choice : parameter.choices)
        choices.push_back({std::string(choice), ""});
      offer.add(choices, front + name);
      return;
    }
    if (one.find(":" + name) == one.npos)
      offer.add({{std::string(parameter.name), std::string(parameter.summary)}}, front, "=");
  }
  out.is_open = true;
}

std::vector<Candidate> reproductions(const Places& places) {
  std::vector<Candidate> out;
  for (const auto& folder : reproduction::find_items(reproduce_directory(places)))
    out.push_back({folder.filename().string(), ""});
  return out;
}

std::vector<Candidate> papers() {
  std::vector<Candidate> out;
  for (const Reference& one : bibliography()) out.push_back({one.id, one.title});
  return out;
}

std::vector<Candidate> questions(Domains domains) {
  std::vector<Candidate> out;
  for (const Domain* domain : domains)
    out.push_back({std::string(domain->name), std::string(domain->question)});
  return out;
}

// Offers the values of an option or argument. `before` is the part of the same word before the value ("--format=").
void offer_values(const Value& option, const Reached& now, Domains domains, const Places& places,
                  std::string_view before, std::string_view text, Offer& offer, Completion& out) {
  const std::string name = described_text(option, "name");
  const std::string type = described_text(option, "type");
  const std::string command = described_text(*now.command, "name");
  const std::string_view list = text.substr(0, text.rfind(',') + 1);
  if (name == "--strategy" && now.domain != nullptr) {
    offer_strategies(*now.domain, before, text, offer, out);
  } else if (are_choices(type)) {
    offer.add(choices_in(type), before);
  } else if (name == "--law") {
    offer.add(listed("laws"), std::string(before) + std::string(list));
  } else if (name.ends_with("read-as")) {
    offer.add(listed("formats"), before);
  } else if (type == "DOMAIN") {
    offer.add(questions(domains), before);
  } else if (type == "ID") {
    offer.add(command == "cite" ? papers() : reproductions(places), before);
  } else if (type == "DIR") {
    out.paths = Completion::Paths::folders;
  } else if (type == "PATH" || type.starts_with("FILE")) {
    out.paths = Completion::Paths::files;
  }
}

void offer_options(const Reached& now, Offer& offer) {
  std::vector<Candidate> names;
  for (const Value& option : rows_of(*now.command, "options")) {
    std::string name = described_text(option, "name");
    if (!is_argument(option) && !now.seen.contains(name))
      names.push_back({std::move(name), described_text(option, "summary")});
  }
  offer.add(names);
}

// Returns the argument to which the word belongs, if the command has one more; the last argument may occur several times.
const Value* argument_at(const Reached& now) {
  std::vector<const Value*> arguments;
  for (const Value& option : rows_of(*now.command, "options")) {
    if (is_argument(option)) arguments.push_back(&option);
  }
  if (arguments.empty()) return nullptr;
  if (now.arguments < arguments.size()) return arguments[now.arguments];
  return arguments.back()->find("several") != nullptr ? arguments.back() : nullptr;
}

// Returns the position at which bash begins its word.
std::size_t cut_of(const Typed& typed) {
  if (typed.shell != "bash" || typed.words.empty()) return 0;
  const std::size_t at = typed.words.back().find_last_of(":=");
  return at == std::string::npos ? 0 : at + 1;
}

bool is_cut(const std::string& word) {
  return !word.empty() && word.find_first_not_of(":=") == std::string::npos;
}

}  // namespace

Completion completion_of(const Value& root, Domains domains, const Places& places,
                         std::span<const std::string> words) {
  Completion out;
  const bool is_help = words.size() > 1 && words.front() == "help";
  if (is_help) words = words.subspan(1);
  const std::string word = words.empty() ? std::string() : words.back();
  const Reached now = reach(root, domains, words.first(words.empty() ? 0 : words.size() - 1));
  Offer offer(out, word);
  if (now.pending != nullptr) {
    offer_values(*now.pending, now, domains, places, "", word, offer, out);
    return out;
  }
  if (const std::size_t sign = word.find('='); word.starts_with('-') && sign != word.npos) {
    const Value* option = row_named(rows_of(*now.command, "options"), word.substr(0, sign));
    const std::string_view whole = word;
    if (option != nullptr) {
      offer_values(*option, now, domains, places, whole.substr(0, sign + 1), whole.substr(sign + 1),
                   offer, out);
    }
    return out;
  }
  const std::vector<Candidate> verbs = candidates_of(rows_of(*now.command, "verbs"));
  offer.add(verbs);
  if (is_help) return out;
  const Value* argument = argument_at(now);
  if (argument != nullptr && !word.starts_with('-'))
    offer_values(*argument, now, domains, places, "", word, offer, out);
  const bool is_all = verbs.empty() && argument == nullptr;  // nothing else is possible there
  if (word.starts_with('-') || is_all) offer_options(now, offer);
  return out;
}

Typed typed_words(std::span<const std::string> arguments) {
  Typed out;
  std::size_t at = 0;
  if (arguments.size() > 1 && arguments[0] == "--shell") {
    out.shell = arguments[1];
    at = 2;
  }
  if (at < arguments.size() && arguments[at] == "--") ++at;
  bool is_joined = false;  // true: the next word belongs to the one before it
  for (; at < arguments.size(); ++at) {
    const std::string& word = arguments[at];
    const bool is_sign = out.shell == "bash" && is_cut(word);
    if (!out.words.empty() && (is_sign || (is_joined && !word.empty()))) {
      out.words.back() += word;
    } else {
      out.words.push_back(word);
    }
    is_joined = is_sign;
  }
  return out;
}

std::string completion_text(const Completion& completion, const Typed& typed) {
  constexpr std::string_view kPaths[] = {"none", "files", "folders"};
  const bool is_open = completion.is_open && !completion.candidates.empty();
  std::string out(is_open ? "open" : kPaths[static_cast<std::size_t>(completion.paths)]);
  out += '\n';
  const std::size_t cut = cut_of(typed);
  for (const Candidate& one : completion.candidates) {
    out += one.text.substr(std::min(cut, one.text.size()));
    if (!one.about.empty()) out += '\t' + one.about;
    out += '\n';
  }
  return out;
}

Result<std::string_view> completion_script(std::string_view shell) {
  if (shell == "bash") return assets::completion_bash();
  if (shell == "zsh") return assets::completion_zsh();
  if (shell == "fish") return assets::completion_fish();
  return fail(
      ErrorCode::usage, "shell",
      fmt::format("found '{}', expected one of {}", shell, fmt::join(split(kShells, '|'), ", ")));
}

}  // namespace holdfast
