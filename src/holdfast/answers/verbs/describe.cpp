#include "holdfast/answers/catalog_answer.hpp"
#include "holdfast/answers/host.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/contract/document_members.hpp"
#include "holdfast/contract/verb_options.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

namespace holdfast {
namespace {

struct DescribeOptions {
  std::vector<std::string> words = {};
  bool schema = false;
};

constexpr auto kDescribed = std::to_array<Field<DescribeOptions>>(
    {{.name = "domain",
      .summary = "one of the domains, or with --schema a command; default: everything",
      .member = member<&DescribeOptions::words>,
      .value_name = "DOMAIN"}});
constexpr auto kDescribeOptions = std::to_array<Field<DescribeOptions>>(
    {{.name = "schema",
      .summary = "the JSON Schema of what commands print with --json",
      .member = member<&DescribeOptions::schema>}});

// A text is printed as it is, with and without --json.
Answer document_of(const Value& document) {
  Answer answer;
  answer.document = Value(to_json(document) + "\n");
  return answer;
}

Result<Answer> describe_documents(const std::string& asked, const Value& schemas) {
  Value chosen = Value::object();
  std::vector<std::string_view> names;
  for (const auto& [name, schema] : *schemas.members()) {
    names.push_back(name);
    if (name == asked) return document_of(schema);
    if (asked.empty() || name.starts_with(asked + ' ')) chosen.set(name, schema);
  }
  if (chosen.members()->empty()) {
    return fail(ErrorCode::usage, "domain",
                fmt::format("found {}, expected a command that has a document; {}",
                            in_quotes(asked), suggestion(asked, names)));
  }
  return document_of(
      Value::object({{"holdfast", Value::object({{"kind", "schemas"}, {"version", 1}})},
                     {"schemas", std::move(chosen)}}));
}

Result<Answer> describe_program(const DescribeOptions& options, const Request& request) {
  const Host& host = *request.host;
  if (options.schema) return describe_documents(join(options.words, " "), host.schemas());
  if (options.words.empty()) return catalog_answer(host.domains, host.commands());
  if (options.words.size() > 1) {
    return fail(ErrorCode::usage, "domain",
                fmt::format("found {} after it, expected one domain; 'holdfast help {}' describes "
                            "a command",
                            in_quotes(options.words[1]), join(options.words, " ")));
  }
  const auto domain = find_domain(options.words.front(), host.domains);
  if (!domain) return fail(ErrorCode::usage, "domain", domain.error().message);
  return catalog_answer(**domain);
}

constexpr auto kCatalogResults = std::to_array<ResultField>(
    {{"", "the header", kHeaderMembers},
     {"domains[]", "each domain with its fields, strategies, metrics and verbs", Holds::object},
     {"laws?[]", "laws of the time between failures", Holds::object},
     {"speedups?[]", "models of speedup", Holds::text},
     {"formats?[]", "formats of traces", Holds::object},
     {"executors?[]", "ways to run a campaign", Holds::object},
     {"commands?[]", "every command with its options, its verbs, and the members of its document",
      Holds::object}});

}  // namespace

Verb describe_verb() {
  return {
      .name = "describe",
      .summary = "list domains, strategies, metrics, options and commands",
      .example = "holdfast describe checkpoint\nholdfast describe --schema checkpoint plan",
      .options = fields_of<kDescribeOptions>().parameters(),
      .positionals = fields_of<kDescribed>().parameters(),
      .results = kCatalogResults,
      .takes_instance = false,
      .takes_seed = false,
      .run = with_options<describe_program, fields_of<kDescribed>, fields_of<kDescribeOptions>>};
}

}  // namespace holdfast
