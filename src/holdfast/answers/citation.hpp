#pragma once

#include "holdfast/answers/answer_text.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// One row of docs/bibliography.toml (a paper, a program or a public log), or Holdfast itself. Members that a row does not have
/// are empty.
struct Reference {
  std::string id;    ///< "young-1974"
  std::string kind;  ///< article, proceedings, report, thesis, software, web, log
  std::string section;
  std::string name;                 ///< name on the page: "Young 1974"
  std::vector<std::string> called;  ///< words that mean this reference in the source of a strategy
  std::vector<std::string> authors;
  std::string title;
  std::string note;         ///< "doctoral thesis"
  std::string container;    ///< journal or proceedings
  std::string institution;  ///< institution of a report or thesis
  std::string publisher;    ///< publisher of a log
  std::string place;
  std::string number;  ///< number of a report
  std::string volume;
  std::string issue;
  std::string pages;
  std::string date;  ///< full date, if more than the year is known
  std::string year;
  std::string later;  ///< where a report was published later
  std::string doi;
  std::string url;
};

/// Returns Holdfast itself, then every row in the order of the file.
[[nodiscard]] std::vector<Reference> bibliography();

/// Returns the references that the names stand for, each once. A name is an id of the bibliography, a strategy (the papers that
/// its table names as its source) or a domain (the papers of all its strategies). An unknown name and a strategy without a
/// paper are errors.
[[nodiscard]] Result<std::vector<Reference>> find_references(std::span<const std::string> names,
                                                             std::span<const Domain* const> domains,
                                                             const std::vector<Reference>& known);

/// Returns "John W. Young, "A first order approximation ...", Communications of the ACM 17(9), pages 530-531, 1974,
/// https://doi.org/10.1145/361147.361115".
[[nodiscard]] std::string to_text(const Reference& reference);
/// Returns the reference as a BibTeX entry, in UTF-8.
[[nodiscard]] std::string to_bibtex(const Reference& reference);

/// Returns references as text and as a document of kind "references".
[[nodiscard]] Answer citation(std::span<const Reference> references);
/// Returns the references as a table of ids, for people who are looking for one.
[[nodiscard]] Answer citation_list(std::span<const Reference> references);

}  // namespace holdfast
