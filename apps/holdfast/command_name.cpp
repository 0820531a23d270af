#include "holdfast/command_name.hpp"

#include <CLI/CLI.hpp>

namespace holdfast::cli {

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

std::string command_line(std::span<const std::string> arguments) {
  std::string out = "holdfast";
  for (const std::string& argument : arguments) {
    const bool is_plain =
        !argument.empty() &&
        argument.find_first_of(" \t\n\"'\\$&|;<>()*?[]#~`!{}") == std::string::npos;
    out += ' ';
    if (is_plain) {
      out += argument;
      continue;
    }
    out += '\'';
    for (const char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

}  // namespace holdfast::cli
