#include "holdfast/domain_command.hpp"

#include "holdfast/answers/verbs.hpp"
#include "holdfast/console.hpp"
#include "holdfast/strategy_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace holdfast::cli {
namespace {

struct ListOptions {
  bool list = false;
  bool json = false;
};

}  // namespace

void add_domain(CLI::App& root, Console& console, const Domain& domain) {
  CLI::App* command = root.add_subcommand(std::string(domain.name), std::string(domain.question));
  command->require_subcommand(0, 1);
  command->footer(fmt::format("example: {}", domain.example));

  auto given = std::make_shared<ListOptions>();
  command->add_flag("--list-strategies", given->list, "list all strategies: name, summary, source");
  command->add_flag("--json", given->json, "as a JSON document");
  command->callback([given, command, &console, &domain] {
    if (given->list && command->get_subcommands().empty())
      print_strategies(domain, given->json ? AnswerFormat::json : AnswerFormat::table, console);
  });

  // The order in every help text: plan, simulate, then the other verbs of the domain's table.
  const Verb* plan = domain.verb("plan");
  if (plan != nullptr) add_verb(*command, console, {}, &domain, *plan);
  if (domain.open != nullptr) add_verb(*command, console, {}, &domain, simulate_verb());
  for (const Verb& verb : domain.verbs) {
    if (&verb != plan) add_verb(*command, console, {}, &domain, verb);
  }
  command->group("Domains");  // last, because CLI11 passes it on to verbs that are added later
}

}  // namespace holdfast::cli
