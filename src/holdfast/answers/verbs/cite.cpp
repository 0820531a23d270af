#include "holdfast/answers/citation.hpp"
#include "holdfast/answers/host.hpp"
#include "holdfast/contract/document_members.hpp"
#include "holdfast/contract/verb_options.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

struct CiteOptions {
  std::vector<std::string> ids = {};
  bool list = false;
  bool bibtex = false;
};

constexpr auto kCiteIds = std::to_array<Field<CiteOptions>>(
    {{.name = "id",
      .summary = "entry of the bibliography, or a strategy or domain whose papers are wanted "
                 "(default holdfast)",
      .member = member<&CiteOptions::ids>,
      .value_name = "ID"}});
constexpr auto kCiteOptions = std::to_array<Field<CiteOptions>>(
    {{.name = "list", .summary = "print every ID", .member = member<&CiteOptions::list>},
     {.name = "bibtex",
      .summary = "print BibTeX entries",
      .member = member<&CiteOptions::bibtex>,
      .heading = "Output"}});

Result<Answer> cite_papers(const CiteOptions& options, const Request& request) {
  const std::vector<Reference> known = bibliography();
  if (options.list) return citation_list(known);
  const std::vector<std::string> names =
      options.ids.empty() ? std::vector<std::string>{"holdfast"} : options.ids;
  HOLDFAST_TRY(references, find_references(names, request.host->domains, known));
  Answer answer = citation(references);
  if (!options.bibtex) return answer;
  std::string entries;
  for (const Reference& reference : references) entries += to_bibtex(reference) + '\n';
  answer.file = file_of(std::move(entries));
  return answer;
}

constexpr auto kCiteResults = std::to_array<ResultField>(
    {{"", "the header", kHeaderMembers},
     {"references[].text", "the reference as text", Holds::text},
     {"references[].authors?[]", "its authors", Holds::text},
     {"references[].*", "a field of the bibliography, such as id, title, year, doi", Holds::text}});

}  // namespace

Verb cite_verb() {
  return {.name = "cite",
          .summary = "print how to cite Holdfast, the papers of a strategy, or a public log",
          .example = "holdfast cite young-daly\nholdfast cite holdfast checkpoint --bibtex",
          .options = fields_of<kCiteOptions>().parameters(),
          .positionals = fields_of<kCiteIds>().parameters(),
          .results = kCiteResults,
          .takes_instance = false,
          .takes_seed = false,
          .run = with_options<cite_papers, fields_of<kCiteIds>, fields_of<kCiteOptions>>};
}

}  // namespace holdfast
