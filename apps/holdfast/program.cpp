#include "holdfast/program.hpp"

#include "holdfast/answers/asked/command_line.hpp"
#include "holdfast/answers/asked/option_hint.hpp"
#include "holdfast/answers/catalog_answer.hpp"
#include "holdfast/answers/completion.hpp"
#include "holdfast/answers/trace/verbs.hpp"
#include "holdfast/answers/verbs.hpp"
#include "holdfast/answers/version_answer.hpp"
#include "holdfast/arbiter/commands.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/catalog/schema.hpp"
#include "holdfast/command_name.hpp"
#include "holdfast/domain_command.hpp"
#include "holdfast/help_format.hpp"
#include "holdfast/option_set.hpp"
#include "holdfast/own_words.hpp"
#include "holdfast/print.hpp"
#include "holdfast/steward/commands.hpp"
#include "holdfast/verb_app.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace holdfast::cli {
namespace {

constexpr std::string_view kAll = "*";  // all domains
constexpr const char* kAbout =
    "Plan, schedule and simulate HPC work on machines that fail: when to checkpoint, where to run "
    "what, and how that compares with the published strategies.";

void print_help(const CLI::App& command, Console& console) {
  const auto width = static_cast<std::size_t>(std::max(0, console.terminal().width));
  console.out() << help_of(command, console.places(), width) << std::flush;
}

// Adds the requested domain with its options, and the others with their question only.
void add_domains(CLI::App& root, Console& console, Domains domains, std::string_view asked) {
  for (const Domain* domain : domains) {
    if (domain->name == asked || asked == kAll) {
      add_domain(root, console, *domain);
      for (const auto verbs : {arbiter::verbs(), steward::verbs()}) {
        for (const Verb& verb : verbs) {
          if (verb.family != domain->name || (console.keeps_to_answers() && !verb.only_answers))
            continue;
          add_verb(*root.get_subcommand(std::string(domain->name)), console, {},
                   verb.instance_of == domain->name ? domain : nullptr, verb);
        }
      }
    } else {
      root.add_subcommand(std::string(domain->name), std::string(domain->question))
          ->group("Domains");
    }
  }
}

void add_trace(CLI::App& root, Console& console) {
  CLI::App* trace =
      root.add_subcommand("trace", "work with real traces: describe, convert, cut and fit them");
  trace->require_subcommand(0, 1);
  for (const Verb& verb : trace_verbs()) add_verb(*trace, console, {}, nullptr, verb);
  trace->footer("example: holdfast trace info examples/data/sample-failures.csv");
}

const CLI::App& deepest(const CLI::App& command) {
  const auto parsed = command.get_subcommands();
  return parsed.empty() ? command : deepest(*parsed.front());
}

std::string see_help(const CLI::App& command) {
  return fmt::format("see '{} --help'", full_name(command));
}

// Returns the domain whose verb was probably meant, as it is typed: the only one with the verb, or the first of those that know the
// most of the options; a placeholder with the names if no option tells. Empty if no domain has the verb.
std::string meant_domain(Domains domains, std::string_view verb,
                         std::span<const std::string> arguments) {
  std::vector<std::string_view> names;
  std::string_view best;
  std::ptrdiff_t most = 0;
  for (const Domain* domain : domains) {
    if (verb != "simulate" && domain->verb(verb) == nullptr) continue;
    names.push_back(domain->name);
    const auto known = std::ranges::count_if(arguments, [&](std::string_view argument) {
      return std::ranges::any_of(domain->fields, [&](const Parameter& field) {
        return option_name(field.name) == argument.substr(0, argument.find('='));
      });
    });
    if (known > most) best = domain->name, most = known;
  }
  if (names.empty()) return {};
  if (names.size() == 1) best = names.front();
  if (!best.empty()) return fmt::format("'holdfast {} {}'", best, verb);
  return fmt::format("'holdfast DOMAIN {}', where DOMAIN is one of {}", verb,
                     fmt::join(names, ", "));
}

// Returns the first verb of the same domain that has the option.
const CLI::App* verb_with(const CLI::App& command, const std::string& option) {
  if (command.get_parent() == nullptr) return nullptr;
  for (const CLI::App* verb : command.get_subcommands({})) {
    if (verb->get_option_no_throw(option) != nullptr) return verb;
  }
  return nullptr;
}

void refuse_option(const CLI::App& command, const std::string& name, Console& console) {
  const std::vector<std::string> names = options_of(command);
  if (const CLI::App* verb = verb_with(command, name);
      meant_option(names, name).empty() && verb != nullptr) {
    console.refuse_usage(fmt::format("{} is an option of a verb, which comes before it: '{} {}'",
                                     in_quotes(name), full_name(*verb), name),
                         see_help(command));
    return;
  }
  console.refuse_usage(
      fmt::format("unknown option {}{}", in_quotes(name), unknown_option_hint(names, name)),
      see_help(command));
}

// Returns the word that is the mistake: a wrong option before "--" if there is one, because the parser lists the words after
// "--" first.
std::string first_extra(const std::vector<std::string>& extras,
                        std::span<const std::string> arguments) {
  const auto words = std::ranges::find(arguments, "--");
  const auto option = std::find_if(arguments.begin(), words, [&extras](const std::string& one) {
    return one.size() > 1 && one.starts_with('-') && std::ranges::find(extras, one) != extras.end();
  });
  if (words != arguments.end() && option != words) return *option;
  return extras.empty() ? std::string() : extras.front();
}

void refuse_extra(const CLI::App& root, Domains domains, std::span<const std::string> arguments,
                  Console& console) {
  const CLI::App& command = deepest(root);
  const std::vector<std::string> extras = root.remaining(true);
  const std::string extra = first_extra(extras, arguments);
  if (extra.starts_with('-') && extra.size() > 1) {
    return refuse_option(command, extra.substr(0, extra.find('=')), console);
  }
  const std::vector<std::string> verbs = verbs_of(command);
  if (verbs.empty()) {
    console.refuse_usage(fmt::format("found {}, expected no further argument", in_quotes(extra)),
                         see_help(command));
    return;
  }
  const std::string near = meant_verb(verbs, extra);
  const std::string meant = meant_domain(domains, extra, arguments);
  if (&command == &root && !meant.empty()) {
    console.refuse_usage(
        fmt::format("{} is a verb of a domain, which comes before it: {}", in_quotes(extra), meant),
        see_help(command));
    return;
  }
  console.refuse_usage(
      fmt::format("unknown verb {}{}", in_quotes(extra),
                  near.empty() ? fmt::format("; known: {}", fmt::join(verbs, ", "))
                               : fmt::format("; did you mean {}?", in_quotes(near))),
      see_help(command));
}

// The messages of CLI11 are "--seed: 1 required N missing" or "--seed: At Most 1 required but received 2"; the part before the
// colon is the option.
void refuse_arguments(const CLI::App& root, const std::string& what, Console& console) {
  const CLI::App& command = deepest(root);
  const auto colon = what.find(':');
  const std::string name = what.substr(0, colon);
  const CLI::Option* option = command.get_option_no_throw(name);
  if (colon == std::string::npos || option == nullptr) {
    console.refuse_usage(what, see_help(command));
  } else if (option->count() > 1) {
    const bool is_list = option->get_type_name().find(',') != std::string::npos;
    console.refuse_usage(
        fmt::format("{}: found it {} times, expected it once{}", name, option->count(),
                    is_list ? "; commas separate several values" : ""),
        see_help(command));
  } else {
    console.refuse_usage(fmt::format("{}: found no value, expected one", name), see_help(command));
  }
}

// The message of CLI11 is "Could not convert: --json = red": an option without a value, or with true or false, was given
// another value.
void refuse_value(const CLI::App& root, std::string_view what, Console& console) {
  constexpr std::string_view kBefore = ": ";
  constexpr std::string_view kBetween = " = ";
  const std::size_t name = what.find(kBefore);
  const std::size_t value = what.find(kBetween);
  if (name == std::string_view::npos || value == std::string_view::npos || value < name) {
    return console.refuse_usage(std::string(what), see_help(deepest(root)));
  }
  console.refuse_usage(
      fmt::format("{}: found {}, expected no value, or true or false",
                  what.substr(name + kBefore.size(), value - name - kBefore.size()),
                  in_quotes(what.substr(value + kBetween.size()))),
      see_help(deepest(root)));
}

// A command that only has verbs needs one of them, unless a list was requested. If none was given, its help is printed before
// the error.
void check_complete(const CLI::App& root, Console& console) {
  const CLI::App& command = deepest(root);
  if (verbs_of(command).empty()) return;
  const CLI::Option* list = command.get_option_no_throw("--list-strategies");
  if (list != nullptr && list->count() > 0) return;
  print_help(command, console);
  const std::string where = command.get_parent() == nullptr ? "" : command.get_name() + ": ";
  console.refuse_usage(fmt::format("{}found nothing more, expected a verb: {}", where,
                                   fmt::join(verbs_of(command), ", ")),
                       see_help(command));
}

// Refuses empty values: `--seed "$SEED"` with an unset variable would otherwise mean the default. Options for numbers refuse
// them themselves, and name the number that they expect. It also refuses --json=2, which CLI11 would take for --json.
void refuse_wrong_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_expected_max() == 0) {
      option->check([](const std::string& text) {
        if (text == "true" || text == "false") return std::string();
        return fmt::format("found {}, expected no value, or true or false", in_quotes(text));
      });
      continue;
    }
    if (OptionSet::refuses_empty(*option)) continue;
    option->check([](const std::string& text) {
      return text.empty() ? "found an empty text, expected a value" : std::string();
    });
  }
}

// Makes the wording of all help texts the same. Verbs are listed under one heading, unless they have their own.
void unify_help(CLI::App& command, const std::string& heading) {
  command.set_help_flag("-h,--help", "print this help")->group("Options");
  refuse_wrong_values(command);
  for (CLI::App* verb : command.get_subcommands({})) {
    if (verb->get_group() == "Subcommands") verb->group(heading);
    unify_help(*verb, "Verbs");
  }
}

// All options that write files are in the group "Output"; flags in that group write no files.
void forbid_files(CLI::App& command, const Console& console) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_group() != "Output" || option->get_expected_max() == 0) continue;
    option->check([&console](const std::string& file) {
      if (file == "-" || (!file.empty() && file == console.only_file())) return std::string();
      return fmt::format("found the file {}, expected none: this command may only answer",
                         in_quotes(file));
    });
  }
  for (CLI::App* verb : command.get_subcommands({})) forbid_files(*verb, console);
}

void refuse_size(Console& console) {
  console.refuse({ErrorCode::io_failure, "", "not enough memory for this input"});
}

// Without a check, the help of an unknown verb would be that of its parent command.
void give_help(const CLI::App& root, Domains domains, std::span<const std::string> arguments,
               Console& console) {
  const std::vector<std::string> extras = root.remaining(true);
  const bool has_verbs = !verbs_of(deepest(root)).empty();
  if (has_verbs && !extras.empty() && !extras.front().starts_with('-')) {
    refuse_extra(root, domains, arguments, console);
  } else {
    print_help(deepest(root), console);
  }
}

void tell_version(std::span<const std::string> arguments, Console& console) {
  if (std::find(arguments.begin(), arguments.end(), "--json") != arguments.end()) {
    print_document(version_document(), console);
  } else {
    console.out() << "holdfast " << version();
    if (!built_commit().empty()) console.out() << " (commit " << built_commit() << ')';
    console.out() << '\n';
  }
}

// Turns `guard --input A B -- ...` into `guard --input A --input B -- ...`, because CLI11 would take the `--` for the end of the
// list, and not for the beginning of the command.
std::vector<std::string> with_inputs_apart(std::span<const std::string> arguments) {
  constexpr std::string_view kInput = "--input";
  std::vector<std::string> out;
  bool is_list = false;
  const bool is_guard = !arguments.empty() && arguments.front() == "guard";
  const auto words = std::ranges::find(arguments, "--");
  for (auto it = arguments.begin(); it != arguments.end(); ++it) {
    const bool is_option = it->starts_with('-');
    if (it < words && is_list && !is_option && out.back() != kInput) out.emplace_back(kInput);
    if (is_option) is_list = is_guard && *it == kInput;
    out.push_back(*it);
  }
  return out;
}

void run(CLI::App& root, Domains domains, std::span<const std::string> arguments,
         Console& console) {
  std::vector<std::string> reversed = with_inputs_apart(arguments);
  std::ranges::reverse(reversed);
  try {
    root.parse(reversed);
    check_complete(root, console);
  } catch (const CLI::CallForHelp&) {
    give_help(root, domains, arguments, console);
  } catch (const CLI::CallForVersion&) {
    tell_version(arguments, console);
  } catch (const CLI::ExtrasError&) {
    refuse_extra(root, domains, arguments, console);
  } catch (const CLI::ArgumentMismatch& error) {
    refuse_arguments(root, error.what(), console);
  } catch (const CLI::ConversionError& error) {
    refuse_value(root, error.what(), console);
  } catch (const CLI::ParseError& error) {
    console.refuse_usage(error.what(), see_help(deepest(root)));
  }
}

// Adds `help` to the list of commands. It is never called, because with_help_last() rewrites its command line.
void add_help(CLI::App& root) {
  CLI::App* command = root.add_subcommand("help", "print the help of a command");
  command->add_option("command", "the command")->type_name("WORD")->expected(0, -1);
  command->footer(fmt::format("example: holdfast help {} simulate", kExampleDomain));
}

void add_commands(CLI::App& root, std::string_view asked, Console& console, Domains domains) {
  add_domains(root, console, domains, asked);
  const bool only_answers = console.keeps_to_answers();
  for (const Verb& verb : program_verbs()) {
    if (verb.name == "reproduce") add_trace(root, console);
    if (only_answers && !verb.only_answers) continue;
    const auto owner = std::ranges::find(domains, verb.instance_of, &Domain::name);
    if (owner == domains.end() && !verb.instance_of.empty()) continue;
    add_verb(root, console, domains, owner == domains.end() ? nullptr : *owner, verb);
  }
  if (only_answers) return forbid_files(root, console);
  add_help(root);
}

// Builds the whole command line, with the options of one domain or of all.
void build(CLI::App& root, std::string_view asked, Console& console, Domains domains) {
  root.require_subcommand(0, 1);
  root.set_version_flag(
      "--version", std::string(version()),
      "print the version; with --json also the libraries and options of the build");
  add_commands(root, asked, console, domains);
  root.footer(fmt::format("example: holdfast {} simulate --help", kExampleDomain));
  unify_help(root, "Across domains");
}

bool asks_for_help(std::string_view word) {
  return word == "--help" || word == "-h";
}

// Rewrites `holdfast help WORDS...`, `holdfast --help WORDS...` and `holdfast DOMAIN help WORDS...` to `holdfast WORDS... --help`.
std::vector<std::string> with_help_last(std::span<const std::string> arguments, Domains domains) {
  std::vector<std::string> out(arguments.begin(), arguments.end());
  if (out.empty()) return out;
  const bool is_first = out.front() == "help" || asks_for_help(out.front());
  const bool is_second = out.size() > 1 && out[1] == "help" &&
                         std::ranges::find(domains, out.front(), &Domain::name) != domains.end();
  if (!is_first && !is_second) return out;
  if (std::any_of(out.begin() + 1, out.end(), asks_for_help)) return out;
  out.erase(out.begin() + (is_first ? 0 : 1));
  out.emplace_back("--help");
  return out;
}

void complete(std::span<const std::string> arguments, Console& console, Domains domains) {
  const Typed typed = typed_words(arguments);
  const bool is_help = !typed.words.empty() && typed.words.front() == "help";
  const std::size_t asked = is_help ? 1 : 0;
  CLI::App root(kAbout, "holdfast");
  build(root, asked < typed.words.size() ? typed.words[asked] : "", console, domains);
  const Completion next = completion_of(described(root), domains, console.places(), typed.words);
  console.out() << completion_text(next, typed);
}

void build_and_run(std::span<const std::string> given, Console& console, Domains domains) {
  // Only the scripts of `holdfast completion` use this command, so it is not listed.
  if (!given.empty() && given.front() == "complete")
    return complete(given.subspan(1), console, domains);
  const std::vector<std::string> arguments = with_help_last(given, domains);
  CLI::App root(kAbout, "holdfast");
  build(root, arguments.empty() ? std::string_view() : arguments.front(), console, domains);
  const std::vector<std::string> own = in_own_words(root, arguments, console);
  console.set_command(command_line(own));
  run(root, domains, own, console);
}

// Adds the schemas of the documents of a command and of those below it.
void add_schemas(const CLI::App& command, Value& out) {
  const VerbApp* own = as_verb(command);
  const bool has_document =
      own != nullptr && (own->verb->gives == Gives::answer || own->verb->gives == Gives::instance);
  if (has_document)
    out.set(command_of(own->domain, *own->verb), schema_of(own->domain, *own->verb));
  for (const CLI::App* verb : command.get_subcommands({})) add_schemas(*verb, out);
}

// Builds all commands, without a terminal, and returns what a function says of them.
template <class Tell>
Value told_of_all(Domains domains, const Tell& tell) {
  std::ostringstream nowhere;
  std::istringstream nothing;
  Console console(nowhere, nowhere, nothing);
  CLI::App root(kAbout, "holdfast");
  build(root, kAll, console, domains);
  return tell(root);
}

}  // namespace

Value describe_commands(Domains domains) {
  return told_of_all(domains, [](const CLI::App& root) { return *described(root).find("verbs"); });
}

Value schemas(Domains domains) {
  return told_of_all(domains, [](const CLI::App& root) {
    Value out = Value::object();
    add_schemas(root, out);
    return out;
  });
}

int run_program(std::span<const std::string> arguments, Console& console, Domains domains) {
  try {
    build_and_run(arguments, console, domains);
  } catch (const std::bad_alloc&) {
    refuse_size(console);
  } catch (const std::length_error&) {  // larger than any memory
    refuse_size(console);
  }
  console.out().flush();
  if (!console.out()) {
    console.refuse({ErrorCode::io_failure, "standard output", "could not be written"});
  }
  return console.status();
}

}  // namespace holdfast::cli
