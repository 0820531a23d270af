#include "holdfast/answers/catalog_answer.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/command.hpp"
#include "holdfast/command_name.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"
#include "holdfast/program.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace holdfast::cli {
namespace {

Value described(const CLI::Option& option) {
  Value out = Value::object({{"name", option.get_name(option.get_positional())}});
  if (const std::string& text = option.get_description(); !text.empty()) out.set("summary", text);
  if (option.get_expected_max() == 0) {
    out.set("kind", "flag");
  } else if (const std::string type = option.get_type_name(); !type.empty()) {
    out.set("type", type);
  }
  if (option.get_positional()) out.set("positional", true);
  if (option.get_positional() && option.get_expected_max() > 1) out.set("several", true);
  if (option.get_required()) out.set("required", true);
  out.set("group", option.get_group());
  return out;
}

/// `holdfast describe [DOMAIN]`.
class DescribeCommand {
 public:
  explicit DescribeCommand(Domains domains) : domains_(domains) {}

  void add(CLI::App& command) {
    command.add_option("domain", domain_, "one of the domains; default: everything")
        ->type_name("DOMAIN");
    add_talk_options(command, talk_);
  }

  Status run(Console& console) const {
    talk_.apply(console);
    Answer answer;
    if (domain_.empty()) {
      answer = catalog_answer(domains_, describe_commands(domains_));
    } else {
      const auto domain = find_domain(domain_, domains_);
      if (!domain) {
        return fail(ErrorCode::usage, "domain", domain.error().message);
      }
      answer = catalog_answer(**domain);
    }
    print_answer(std::move(answer), talk_.json, console);
    return {};
  }

 private:
  Domains domains_;
  std::string domain_;
  TalkOptions talk_;
};

}  // namespace

Value described(const CLI::App& command) {
  Value out = Value::object({{"name", command.get_name()}, {"summary", command.get_description()}});
  if (const std::string footer = command.get_footer(); !footer.empty()) {
    out.set("footer", footer);
  }
  Value options = Value::array();
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_group().empty()) options.push(described(*option));
  }
  out.set("options", std::move(options));
  Value verbs = Value::array();
  for (const CLI::App* verb : command.get_subcommands({})) {
    if (!verb->get_group().empty()) verbs.push(described(*verb));
  }
  if (!verbs.array_items()->empty()) out.set("verbs", std::move(verbs));
  return out;
}

void add_describe(CLI::App& root, Console& console, Domains domains) {
  CLI::App* command =
      root.add_subcommand("describe", "list domains, strategies, metrics, options and commands");
  command->footer(fmt::format("example: holdfast describe {}", kExampleDomain));
  add_command(*command, std::make_shared<DescribeCommand>(domains), console);
}

}  // namespace holdfast::cli
