#include "holdfast/help_format.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/command_name.hpp"
#include "holdfast/option_set.hpp"
#include "holdfast/verb_app.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

namespace holdfast::cli {
namespace {

constexpr std::size_t kColumn = 28;  // where descriptions start
constexpr std::size_t kLeastWidth = 60;
constexpr std::size_t kMostWidth = 100;
// The groups that users need most come first; groups that are not named here follow.
constexpr auto kOrder =
    std::to_array<std::string_view>({"Instance", "Strategies", "Options", "Output"});

// Breaks a text into lines that start at `column`; the first line is not indented.
std::string wrapped(std::string_view text, std::size_t column, std::size_t width) {
  std::string out;
  std::size_t used = column;
  for (const std::string_view word : split(text, ' ')) {
    if (used > column && used + 1 + word.size() > width) {
      out += "\n" + std::string(column, ' ');
      used = column;
    }
    if (used > column) {
      out += ' ';
      ++used;
    }
    out += word;
    used += word.size();
  }
  return out;
}

std::string entry(const std::string& name, std::string_view description, std::size_t width) {
  std::string line = "  " + name;
  if (line.size() + 2 > kColumn)
    line += "\n" + std::string(kColumn, ' ');
  else
    line.resize(kColumn, ' ');
  return line + wrapped(description, kColumn, width) + "\n";
}

std::string shown_name(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  const std::string type = option.get_expected_max() == 0 ? "" : option.get_type_name();
  return join(names, ", ") + (type.empty() ? "" : " " + type);
}

std::vector<const CLI::Option*> in_group(const CLI::App& command, const std::string& group) {
  return command.get_options([&group](const CLI::Option* option) {
    return option->nonpositional() && option->get_group() == group;
  });
}

std::vector<std::string> groups_of(const CLI::App& command) {
  std::vector<std::string> groups(kOrder.begin(), kOrder.end());
  for (const std::string& group : command.get_groups()) {
    if (group.empty()) continue;  // hidden options
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  return groups;
}

std::vector<const CLI::Option*> positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::string usage(const CLI::App& command) {
  std::string text = "usage: " + full_name(command);
  std::string program;
  for (const CLI::Option* argument : positionals(command)) {
    const bool many = argument->get_expected_max() > 1;
    if (argument->get_type_name() == kProgram) {
      program = fmt::format(" -- {}...", kProgram);
    } else {
      text += " [" + argument->get_type_name() + (many ? "...]" : "]");
    }
  }
  text += command.get_subcommands({}).empty() ? " [OPTIONS]" : " VERB [OPTIONS]";
  return text + program + "\n";
}

std::string verbs(const CLI::App& command, std::size_t width) {
  std::string text;
  std::string group;
  for (const CLI::App* verb : command.get_subcommands({})) {
    if (verb->get_group() != group) {
      group = verb->get_group();
      text += "\n" + group + ":\n";
    }
    text += entry(verb->get_name(), verb->get_description(), width);
  }
  return text;
}

// Adds the names of the members of a document itself, each once, with the units of those that are numbers.
void add_names(std::span<const ResultField> fields, std::vector<std::string>& names) {
  for (const ResultField& field : fields) {
    if (field.path.empty()) add_names(field.members, names);
    const std::string name(field.path.substr(0, field.path.find_first_of(".?[")));
    if (name.empty() || name == "*") continue;
    const bool is_inner = field.path.find('.') != std::string_view::npos;
    const std::string shown = is_inner || field.unit == Unit::none
                                  ? name
                                  : fmt::format("{} ({})", name, symbol(field.unit));
    const auto is_same = [&name](const std::string& one) {
      return one.substr(0, one.find(' ')) == name;
    };
    if (std::ranges::none_of(names, is_same)) names.push_back(shown);
  }
}

std::string results(const VerbApp& command, std::size_t width) {
  std::vector<std::string> names;
  add_names(command.verb->results, names);
  if (names.empty()) return {};
  return fmt::format(
      "\nMembers of the --json document:\n  {}\n  ('holdfast describe --schema {}' describes "
      "them)\n",
      wrapped(join(names, ", "), 2, width), command_of(command.domain, *command.verb));
}

// Replaces the names of files in examples/ by paths that are valid in the user's current folder.
std::string with_found_examples(const std::string& footer, const Places& places) {
  constexpr std::string_view kFolder = "examples/";
  std::string out;
  for (const std::string_view line : split(footer, '\n')) {
    if (!out.empty()) out += '\n';
    bool first = true;
    for (const std::string_view word : split(line, ' ')) {
      if (!first) out += ' ';
      first = false;
      std::error_code ignored;
      const bool is_elsewhere =
          word.starts_with(kFolder) && !std::filesystem::exists(word, ignored);
      const std::filesystem::path folder = is_elsewhere ? examples_directory(places) : "";
      const std::string file =
          folder.empty() ? std::string(word) : (folder / word.substr(kFolder.size())).string();
      out += file.find(' ') == std::string::npos ? file : "'" + file + "'";
    }
  }
  return out;
}

}  // namespace

std::string help_of(const CLI::App& command, const Places& places, std::size_t terminal_width) {
  const std::size_t width =
      terminal_width == 0 ? kMostWidth : std::clamp(terminal_width, kLeastWidth, kMostWidth);
  std::string text = wrapped(command.get_description(), 0, width) + "\n\n" + usage(command);
  const auto arguments = positionals(command);
  if (!arguments.empty()) text += "\nArguments:\n";
  for (const CLI::Option* argument : arguments) {
    text += entry(argument->get_type_name(), argument->get_description(), width);
  }
  text += verbs(command, width);
  for (const std::string& group : groups_of(command)) {
    const auto options = in_group(command, group);
    if (!options.empty()) text += "\n" + group + ":\n";
    for (const CLI::Option* option : options)
      text += entry(shown_name(*option), option->get_description(), width);
  }
  if (const VerbApp* own = as_verb(command)) text += results(*own, width);
  if (!command.get_footer().empty())
    text += "\n" + with_found_examples(command.get_footer(), places) + "\n";
  return text;
}

}  // namespace holdfast::cli
