#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/console.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace holdfast::cli {

/// Gives a command its options, `given->add(command)`, and what it does, `given->run(console)`; an error is refused.
template <class Command>
void add_command(CLI::App& command, std::shared_ptr<Command> given, Console& console) {
  given->add(command);
  command.callback([given, &console] {
    if (const Status status = given->run(console); !status) console.refuse(status.error());
  });
}

}  // namespace holdfast::cli
