#include "holdfast/arbiter/commands.hpp"
#include "holdfast/command.hpp"
#include "holdfast/console.hpp"
#include "holdfast/option_set.hpp"
#include "holdfast/print.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::cli {
namespace {

/// One verb of the arbiter, `holdfast io VERB`, as a command: options from its table, one call.
struct ArbiterCommand {
  const arbiter::Command* row;
  OptionSet options = {};
  std::vector<std::string> words = {};
  TalkOptions talk = {};

  void add(CLI::App& command) {
    options.add_positionals(command, row->positionals);
    if (row->takes_words) add_words(command, words);
    options.add(command, row->options, "Options");
    row->answers ? add_talk_options(command, talk) : add_quiet_options(command, talk);
  }

  Status run(Console& console) {
    talk.apply(console);
    HOLDFAST_TRY(values, options.values());
    const auto say = [&](std::string_view text) {
      console.note(fmt::format("holdfast: {}", text));
      console.err().flush();
    };
    const auto warn = [&](std::string_view text) { console.warn(text); };
    const auto show = [&](Answer answer) { print_answer(std::move(answer), talk.json, console); };
    const auto print = [&](std::string_view text) { console.out() << text << std::flush; };
    HOLDFAST_TRY(code,
                 row->run({std::move(values), words, talk.verbose, {say, warn}, show, print}));
    console.set_status(code);
    return {};
  }
};

}  // namespace

void add_arbiter(CLI::App& io, Console& console) {
  for (const arbiter::Command& row : arbiter::commands()) {
    CLI::App* command = io.add_subcommand(std::string(row.name), std::string(row.summary));
    command->group("Arbiter")->footer(fmt::format("example: {}", row.example));
    add_command(*command, std::shared_ptr<ArbiterCommand>(new ArbiterCommand{&row}), console);
  }
}

}  // namespace holdfast::cli
