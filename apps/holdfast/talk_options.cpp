#include "holdfast/talk_options.hpp"

#include "holdfast/console.hpp"

#include <CLI/CLI.hpp>

namespace holdfast::cli {

void TalkOptions::apply(Console& console) const {
  console.set_quiet(quiet);
  console.set_verbose(verbose);
}

void add_talk_options(CLI::App& command, TalkOptions& talk) {
  command.add_flag("--json", talk.json, "one JSON document on standard output")->group("Output");
  add_quiet_options(command, talk);
}

void add_quiet_options(CLI::App& command, TalkOptions& talk) {
  command.add_flag("--quiet", talk.quiet, "print errors only")->group("Output");
  command.add_flag("--verbose", talk.verbose, "also print details on standard error")
      ->group("Output");
}

}  // namespace holdfast::cli
