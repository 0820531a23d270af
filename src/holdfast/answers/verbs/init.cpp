#include "holdfast/answers/campaign/campaign_draft.hpp"
#include "holdfast/answers/host.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/contract/verb_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {
namespace {

struct InitOptions {
  std::string domain = {};
};

constexpr auto kInitDomain =
    std::to_array<Field<InitOptions>>({{.name = "domain",
                                        .summary = "domain of the campaign: checkpoint, io ...",
                                        .member = member<&InitOptions::domain>,
                                        .value_name = "DOMAIN"}});

Result<Answer> draft_campaign(const InitOptions& options, const Request& request) {
  const Host& host = *request.host;
  if (options.domain.empty()) {
    std::vector<std::string_view> names;
    for (const Domain* domain : host.domains) names.push_back(domain->name);
    return fail(ErrorCode::usage, "domain",
                fmt::format("found nothing, expected one of {}", fmt::join(names, ", ")));
  }
  const auto domain = find_domain(options.domain, host.domains);
  if (!domain) return fail(ErrorCode::usage, "domain", domain.error().message);
  const auto examples = examples_directory(host.places);
  const std::string draft = campaign_draft(**domain, examples);
  const bool has_all_files = !examples.empty() || draft.find("\"examples/") == std::string::npos;
  Answer answer;
  answer.file = file_of(draft);
  answer.file->name = options.domain + ".toml";
  answer.file->remark = has_all_files
                            ? "'holdfast run {}' runs it as it is"
                            : "it names files of examples/, which this program was copied without: "
                              "put yours in their place, then 'holdfast run {}' runs it";
  return answer;
}

}  // namespace

Verb init_verb() {
  return {.name = "init",
          .summary = "write a campaign file to start from, with every field explained",
          .example = "holdfast init checkpoint && holdfast run checkpoint.toml",
          .positionals = fields_of<kInitDomain>().parameters(),
          .takes_instance = false,
          .takes_seed = false,
          .gives = Gives::file,
          .file_name = "DOMAIN.toml, here",
          .only_answers = false,
          .run = with_options<draft_campaign, fields_of<kInitDomain>>};
}

}  // namespace holdfast
