#include "holdfast/answers/citation.hpp"

#include "holdfast/answers/assets.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace holdfast {
namespace {

// The members of a row that hold one text, or a number.
struct ReferenceMember {
  std::string_view name;
  std::string Reference::*member;
};
constexpr auto kReferenceMembers = std::to_array<ReferenceMember>({
    {"id", &Reference::id},
    {"kind", &Reference::kind},
    {"section", &Reference::section},
    {"name", &Reference::name},
    {"title", &Reference::title},
    {"note", &Reference::note},
    {"container", &Reference::container},
    {"institution", &Reference::institution},
    {"publisher", &Reference::publisher},
    {"place", &Reference::place},
    {"number", &Reference::number},
    {"volume", &Reference::volume},
    {"issue", &Reference::issue},
    {"pages", &Reference::pages},
    {"date", &Reference::date},
    {"year", &Reference::year},
    {"later", &Reference::later},
    {"doi", &Reference::doi},
    {"url", &Reference::url},
});

std::vector<std::string> texts_in(const Value& row, std::string_view name) {
  std::vector<std::string> out;
  if (const Value* list = row.find(name)) {
    for (const Value& item : *list->array_items()) out.push_back(*item.string());
  }
  return out;
}

Reference read_reference(const Value& row) {
  Reference out;
  for (const ReferenceMember& one : kReferenceMembers) {
    const Value* value = row.find(one.name);
    if (value == nullptr) continue;
    out.*one.member = value->string() != nullptr ? *value->string() : to_text(value->number());
  }
  out.called = texts_in(row, "called");
  out.authors = texts_in(row, "authors");
  return out;
}

Reference this_program(const Value& row) {
  Reference out = read_reference(row);
  out.id = "holdfast";
  out.kind = "software";
  out.name = "Holdfast";
  out.note = fmt::format("version {}", version());
  return out;
}

void append(std::string& text, std::string_view part) {
  if (part.empty()) return;
  if (!text.empty()) text += ", ";
  text += part;
}

// "Communications of the ACM 17(9)"
std::string container_of(const Reference& reference) {
  std::string out = reference.container;
  if (!reference.volume.empty()) out += " " + reference.volume;
  if (!reference.issue.empty()) out += "(" + reference.issue + ")";
  return out;
}

std::string address_of(const Reference& reference) {
  return reference.doi.empty() ? reference.url : "https://doi.org/" + reference.doi;
}

Value reference_document(const Reference& reference) {
  Value out = Value::object();
  for (const ReferenceMember& one : kReferenceMembers) {
    if (const std::string& text = reference.*one.member; !text.empty()) out.set(one.name, text);
  }
  if (!reference.authors.empty()) out.set("authors", Value::list(reference.authors));
  out.set("text", to_text(reference));
  return out;
}

Value references_document(std::span<const Reference> references) {
  Value list = Value::array();
  for (const Reference& reference : references) list.push(reference_document(reference));
  return Value::object({{"holdfast", Value::object({{"kind", "references"}, {"version", 1}})},
                        {"references", std::move(list)}});
}

void add_once(std::vector<Reference>& out, const Reference& reference) {
  const bool is_there = std::any_of(out.begin(), out.end(), [&reference](const Reference& other) {
    return other.id == reference.id;
  });
  if (!is_there) out.push_back(reference);
}

// Adds the papers that the source of a strategy names.
void add_sources(std::vector<Reference>& out, std::string_view source,
                 const std::vector<Reference>& known) {
  for (const Reference& reference : known) {
    const bool is_meant = std::any_of(
        reference.called.begin(), reference.called.end(),
        [source](const std::string& words) { return source.find(words) != source.npos; });
    if (is_meant) add_once(out, reference);
  }
}

// Returns the sources of the strategies with that name, or of all strategies of the domain with that name.
std::vector<std::string_view> sources_of(std::string_view name,
                                         std::span<const Domain* const> domains) {
  std::vector<std::string_view> out;
  for (const Domain* domain : domains) {
    for (const StrategyEntry& entry : domain->strategies) {
      if (!entry.takes_rule && (domain->name == name || entry.name == name))
        out.push_back(entry.source);
    }
  }
  return out;
}

Error unknown_reference(std::string_view name, std::span<const Domain* const> domains,
                        const std::vector<Reference>& known) {
  std::vector<std::string_view> names;
  for (const Reference& reference : known) names.push_back(reference.id);
  for (const Domain* domain : domains) {
    names.push_back(domain->name);
    for (const StrategyEntry& entry : domain->strategies) names.push_back(entry.name);
  }
  const std::string_view near = closest(name, names);
  return {ErrorCode::usage, "id",
          fmt::format("found {}, expected an ID of the bibliography, a domain or a strategy; {}",
                      in_quotes(name),
                      near.empty() ? "--list prints the IDs"
                                   : fmt::format("did you mean {}?", in_quotes(near)))};
}

// The types of BibTeX, with their names for the container and the institution.
struct BibtexKind {
  std::string_view kind;
  std::string_view type;
  std::string_view container;
  std::string_view institution;
};
constexpr auto kBibtexKinds = std::to_array<BibtexKind>({
    {"article", "article", "journal", "institution"},
    {"proceedings", "inproceedings", "booktitle", "organization"},
    {"report", "techreport", "series", "institution"},
    {"thesis", "phdthesis", "series", "school"},
});
constexpr BibtexKind kBibtexOther = {"", "misc", "howpublished", "organization"};

BibtexKind bibtex_kind(std::string_view kind) {
  for (const BibtexKind& row : kBibtexKinds) {
    if (row.kind == kind) return row;
  }
  return kBibtexOther;
}

// Escapes the characters that LaTeX would take for commands.
std::string for_latex(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::vector<Reference> bibliography() {
  const auto document = parse_toml(assets::bibliography());
  assert(document);
  std::vector<Reference> out = {this_program(*document->find("software"))};
  for (const Value& row : *document->find("reference")->array_items()) {
    out.push_back(read_reference(row));
  }
  return out;
}

Result<std::vector<Reference>> find_references(std::span<const std::string> names,
                                               std::span<const Domain* const> domains,
                                               const std::vector<Reference>& known) {
  std::vector<Reference> out;
  for (const std::string& name : names) {
    const auto row = std::find_if(known.begin(), known.end(),
                                  [&name](const Reference& one) { return one.id == name; });
    if (row != known.end()) {
      add_once(out, *row);
      continue;
    }
    const auto sources = sources_of(name, domains);
    if (sources.empty()) return fail(unknown_reference(name, domains, known));
    std::vector<Reference> meant;
    for (const std::string_view source : sources) add_sources(meant, source, known);
    if (meant.empty()) {
      return fail(ErrorCode::usage, "id",
                  fmt::format("found the strategy {}, which has no paper: {}", in_quotes(name),
                              sources.front()));
    }
    for (const Reference& reference : meant) add_once(out, reference);
  }
  return out;
}

std::string to_text(const Reference& reference) {
  std::string out = fmt::format("{}", fmt::join(reference.authors, ", "));
  append(out, fmt::format("\"{}\"", reference.title));
  append(out, reference.note);
  append(out, container_of(reference));
  append(out, reference.place);
  append(out, reference.institution);
  append(out, reference.publisher);
  append(out, reference.number);
  append(out, reference.pages.empty() ? "" : "pages " + reference.pages);
  append(out, reference.date.empty() ? reference.year : reference.date);
  if (!reference.later.empty()) out += "; " + reference.later;
  append(out, address_of(reference));
  return out;
}

std::string to_bibtex(const Reference& reference) {
  const BibtexKind kind = bibtex_kind(reference.kind);
  std::string out = fmt::format("@{}{{{}", kind.type, reference.id);
  const auto add = [&out](std::string_view name, std::string_view text) {
    if (!text.empty()) out += fmt::format(",\n  {} = {{{}}}", name, text);
  };
  const auto add_text = [&add](std::string_view name, std::string_view text) {
    add(name, for_latex(text));
  };
  // A name that is not that of a person is put in braces, which keep its words together.
  std::vector<std::string> authors;
  for (const std::string& author : reference.authors) {
    const bool is_group = author.starts_with("The ") || author.find(' ') == std::string::npos;
    authors.push_back(is_group ? "{" + for_latex(author) + "}" : for_latex(author));
  }
  add("author", fmt::format("{}", fmt::join(authors, " and ")));
  add("title", "{" + for_latex(reference.title) + "}");
  add_text(kind.container, reference.container);
  add_text(kind.institution, reference.institution);
  add_text("publisher", reference.publisher);
  add_text("address", reference.place);
  add_text("volume", reference.volume);
  add_text("number", reference.issue.empty() ? reference.number : reference.issue);
  if (const auto dash = reference.pages.find('-'); dash != std::string::npos) {
    add("pages", reference.pages.substr(0, dash) + "--" + reference.pages.substr(dash + 1));
  }
  add("year", reference.year);
  std::string note = reference.note;
  append(note, reference.later);
  add_text("note", note);
  add("doi", reference.doi);
  add("url", reference.url);
  return out + "\n}";
}

Answer citation(std::span<const Reference> references) {
  Answer answer;
  for (const Reference& reference : references) answer.lines.push_back(to_text(reference));
  answer.document = references_document(references);
  return answer;
}

Answer citation_list(std::span<const Reference> references) {
  Answer answer;
  Table table{.columns = {{"id"}, {"what"}}};
  for (const Reference& reference : references) {
    const bool has_name = !reference.name.empty() && reference.name != reference.title;
    table.rows.push_back({reference.id, has_name
                                            ? fmt::format("{}: {}", reference.name, reference.title)
                                            : reference.title});
  }
  answer.tables.push_back(std::move(table));
  answer.document = references_document(references);
  return answer;
}

}  // namespace holdfast
