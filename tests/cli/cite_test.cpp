// Whatever a table of strategies names as its source is in the bibliography.
#include "holdfast/answers/citation.hpp"
#include "holdfast/catalog/catalog.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace holdfast;

namespace {

// "Graham 1969", "Perotin's thesis, section 5.4": four digits in a row, or a word for a paper and its place.
bool names_paper(std::string_view source) {
  int digits = 0;
  for (const char c : source) {
    digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
    if (digits == 4) return true;
  }
  return source.find("thesis, ") != source.npos || source.find("report, ") != source.npos;
}

}  // namespace

TEST_CASE("cite: every strategy that names a paper as its source leads to it") {
  const auto known = bibliography();
  int papers = 0;
  for (const Domain* domain : domains()) {
    for (const StrategyEntry& entry : domain->strategies) {
      if (entry.takes_rule || !names_paper(entry.source)) continue;
      CAPTURE(domain->name);
      CAPTURE(entry.name);
      CAPTURE(entry.source);
      const auto found = find_references(std::vector{std::string(entry.name)}, domains(), known);
      CHECK(found.has_value());
      ++papers;
    }
  }
  CHECK(papers > 60);
}

TEST_CASE("cite: ids are there once, and every row has what its text needs") {
  std::set<std::string> ids;
  for (const Reference& one : bibliography()) {
    CAPTURE(one.id);
    CHECK(ids.insert(one.id).second);
    CHECK_FALSE(one.title.empty());
    CHECK_FALSE(one.kind.empty());
    const bool is_found = !one.authors.empty() || !one.url.empty();
    CHECK(is_found);
    CHECK(to_bibtex(one).find('@') == 0);
  }
}
