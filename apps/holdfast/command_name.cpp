#include "holdfast/command_name.hpp"

#include <CLI/CLI.hpp>

namespace holdfast::cli {

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

}  // namespace holdfast::cli
