#include "holdfast/catalog/describe.hpp"

#include "holdfast/program.hpp"
#include "holdfast/verb_app.hpp"

#include <string>
#include <utility>

namespace holdfast::cli {
namespace {

Value described_option(const CLI::Option& option) {
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

}  // namespace

Value described(const CLI::App& command) {
  Value out = Value::object({{"name", command.get_name()}, {"summary", command.get_description()}});
  if (const std::string footer = command.get_footer(); !footer.empty()) {
    out.set("footer", footer);
  }
  Value options = Value::array();
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_group().empty()) options.push(described_option(*option));
  }
  out.set("options", std::move(options));
  if (const VerbApp* own = as_verb(command); own != nullptr && !own->verb->results.empty()) {
    out.set("results", describe(own->verb->results));
  }
  Value verbs = Value::array();
  for (const CLI::App* verb : command.get_subcommands({})) {
    if (!verb->get_group().empty()) verbs.push(described(*verb));
  }
  if (!verbs.array_items()->empty()) out.set("verbs", std::move(verbs));
  return out;
}

}  // namespace holdfast::cli
