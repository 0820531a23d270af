#include "holdfast/reproduction/summary.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace holdfast::reproduction {
namespace {

Row row(double published, double reference, const char* known) {
  Row out;
  out.published = published;
  out.published_tolerance = Tolerance{0.1, false};
  out.reference = reference;
  out.reference_tolerance = Tolerance{0.1, false};
  out.known = known;
  return out;
}

}  // namespace

TEST_CASE("summary: each of a row's two numbers is counted by itself, statements apart") {
  Reproduced one;
  one.item.rows = {row(1, 1, ""), row(1, 2, "nobody knows"), row(5, 5, "nobody knows"), Row{}};
  Statement holds;
  holds.less = {0, 0};
  holds.than = {2, 0};
  Statement fails = holds;
  std::swap(fails.less, fails.than);
  one.item.statements = {holds, fails};
  one.measured = {{1.0, {}}, {1.0, {}}, {4.0, {}}, {7.0, {}}};

  const ItemSummary summary = summarise(one, 1);
  CHECK(summary.published.held == 2);
  CHECK(summary.published.judged == 3);
  CHECK(summary.reference.held == 1);
  CHECK(summary.reference.judged == 3);
  CHECK(summary.statements.held == 1);
  CHECK(summary.statements.judged == 2);
  CHECK(summary.known == 2);
  REQUIRE(summary.reasons.size() == 1);
  CHECK(summary.reasons.front() == "nobody knows");

  ItemSummary total;
  total += summary;
  total += summary;
  CHECK(total.reference.judged == 6);
  CHECK(total.known == 4);
}

TEST_CASE("summary: what could not be measured is judged and does not hold") {
  Reproduced one;
  one.item.rows = {row(1, 1, "")};
  one.measured = {{}};
  const ItemSummary summary = summarise(one, 1);
  CHECK(summary.published.judged == 1);
  CHECK(summary.published.held == 0);
  CHECK(summary.known == 0);
}

TEST_CASE("summary: of an item that was not run nothing is judged") {
  Reproduced one;
  one.item.rows = {row(1, 1, "")};
  one.not_run = "found no such file";
  CHECK(summarise(one, 1).published.judged == 0);
  CHECK(tally_of(one, 1).out == 0);
}

}  // namespace holdfast::reproduction
