#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/console.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace holdfast::cli {

/// Adds options to a command by `given->add(command)`, and makes it call `given->run(console)`. An error of that call is
/// printed and sets the exit status.
template <class Command>
void add_command(CLI::App& command, std::shared_ptr<Command> given, Console& console) {
  given->add(command);
  command.callback([given, &console] {
    if (const Status status = given->run(console); !status) console.refuse(status.error());
  });
}

}  // namespace holdfast::cli
