#include "holdfast/domains/sketch/domain.hpp"

#include "holdfast/base/value.hpp"

#include <doctest/doctest.h>

#include <string_view>

using namespace holdfast;

namespace {

Result<std::unique_ptr<Point>> open(std::string_view json) {
  const auto specs = parse_strategies("whole,parts", sketch::domain().strategies).value();
  return sketch::domain().open(parse_json(json).value(), specs, ".");
}

}  // namespace

TEST_CASE("sketch: errors in a document name their place") {
  struct Row {
    std::string_view document, error;
  };
  const Row rows[] = {
      {R"({"work": -5, "mtbf": 1})", "/work: found -5, expected a duration greater than 0"},
      {R"({"work": 5, "save": -1, "mtbf": 1})",
       "/save: found -1, expected a duration of at least 0"},
      {R"({"work": 5, "mtbf": 0})", "/mtbf: found 0, expected a duration greater than 0"},
      {R"({"work": 5, "dates": [3, 2]})",
       "/dates/1: found 2, expected a date not before the one ahead of it"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.document);
    const auto point = open(row.document);
    REQUIRE_FALSE(point);
    CHECK(point.error().text() == row.error);
  }
}

TEST_CASE("sketch: the definition of a point reads back as the same point") {
  for (const std::string_view document :
       {R"({"work": 5, "save": 1, "mtbf": 7})", R"({"work": 5, "save": 1, "dates": [2, 3]})"}) {
    const auto point = open(document).value();
    CHECK(open(to_json(point->definition())).value()->definition() == point->definition());
  }
}

TEST_CASE("sketch: the same draw gives the same outcome, with any workspace") {
  const auto point = open(R"({"work": 1000, "save": 10, "mtbf": 300})").value();
  Workspace workspace;
  for (std::size_t strategy = 0; strategy < 2; ++strategy) {
    const Draw draw{.seed = 3, .instance = 0, .scenario = 2};
    const Outcome once = point->run(draw, strategy, workspace, false).value();
    Workspace fresh;
    const Outcome again = point->run(draw, strategy, fresh, false).value();
    CHECK(once.metrics == again.metrics);
  }
}

TEST_CASE("sketch: a generated instance fixes its failures, and replays them") {
  const Verb& verb = *sketch::domain().verb("generate");
  Request request;
  request.parameters = parse_json(R"({"work": 1000, "save": 10, "mtbf": 300})").value();
  const auto fixed = open(to_json(verb.run(request).value().document)).value();
  CHECK(fixed->is_fixed());
  const auto drawn = open(R"({"work": 1000, "save": 10, "mtbf": 300})").value();
  Workspace workspace;
  CHECK(fixed->run({}, 0, workspace, false).value().metrics ==
        drawn->run({}, 0, workspace, false).value().metrics);
}
