#include "holdfast/contract/verb.hpp"

#include "holdfast/contract/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace holdfast {
namespace {

bool is_same(char a, char b) {
  return a == b || (a == '-' && b == '_');
}

}  // namespace

const Parameter* Verb::option(std::string_view option_name) const {
  for (const auto table : {options, positionals}) {
    for (const Parameter& row : table) {
      if (std::ranges::equal(row.name, option_name, is_same)) return &row;
    }
  }
  return option_name == "format" ? option("read_as") : nullptr;
}

Error Verb::placed(Error error) const {
  if (Error::Remedy& remedy = error.remedy; error.field.empty() && option(remedy.field) != nullptr)
    remedy.field = option_name(remedy.field);
  if (!error.where.starts_with('/')) return error;
  const std::string place = error.where.substr(1, error.where.find(' ') - 1);
  for (const Parameter& row : positionals) {
    if (row.name != place) continue;
    error.where.erase(0, 1);
    return error;
  }
  const bool is_strategy = (takes_strategy || takes_strategies) && place == "strategy";
  return is_strategy || option(place) != nullptr ? as_option(place, std::move(error))
                                                 : std::move(error);
}

std::vector<std::string_view> Verb::option_names() const {
  std::vector<std::string_view> out;
  for (const auto table : {options, positionals}) {
    for (const Parameter& row : table) out.push_back(row.name);
  }
  return out;
}

std::string command_of(const Domain* domain, const Verb& verb) {
  const bool is_of_domain = domain != nullptr && verb.instance_of.empty();
  const std::string_view before = is_of_domain ? domain->name : verb.family;
  return before.empty() ? std::string(verb.name) : fmt::format("{} {}", before, verb.name);
}

}  // namespace holdfast
