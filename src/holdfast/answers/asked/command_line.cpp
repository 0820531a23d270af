#include "holdfast/answers/asked/command_line.hpp"

namespace holdfast {

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

}  // namespace holdfast
