#include "holdfast/domains/io/domain.hpp"

#include "holdfast/base/value.hpp"

#include <doctest/doctest.h>

#include <string_view>

using namespace holdfast;

namespace {

Result<std::unique_ptr<Point>> open(std::string_view json) {
  const auto specs = parse_strategies("fair-share,set-10", io::domain().strategies).value();
  return io::domain().open(parse_json(json).value(), specs, ".");
}

}  // namespace

TEST_CASE("io: what is wrong with a document is said at its place") {
  struct Row {
    std::string_view document, error;
  };
  const Row rows[] = {
      {R"({"bandwidth": 0, "window": [0, 1], "applications": []})",
       "/bandwidth: found 0, expected a bandwidth greater than 0"},
      {R"({"bandwidth": 1, "node_bandwidth": 0, "window": [0, 1], "applications": []})",
       "/node_bandwidth: found 0, expected a bandwidth greater than 0"},
      {R"({"bandwidth": 1, "nodes": 0, "window": [0, 1], "applications": []})",
       "/nodes: found 0, expected a number greater than 0"},
      {R"({"bandwidth": 1, "window": [2, 1], "applications": []})",
       "/window: found 1, expected an end after the begin"},
      {R"({"bandwidth": 1, "window": [0, 1], "applications": []})",
       "/applications: found none, expected at least one"},
      {R"({"bandwidth": 1, "window": [0, 1], "applications": [{"bandwidth": 2, "phases": []}]})",
       "/applications/0/bandwidth: found 2, expected at most the bandwidth of the file system, 1"},
      {R"({"bandwidth": 1, "window": [0, 1], "applications": [{"release": 1, "phases": []}]})",
       "/applications/0/release: found 1, expected a date at or before the window's begin, 0"},
      {R"({"bandwidth": 1, "window": [0, 1], "applications": [{"progress": 1, "phases": []}]})",
       "/applications/0/progress: found 1, expected a number from 0 to the age at the window's "
       "begin, 0"},
      {R"({"bandwidth": 1, "window": [0, 1], "applications": [{"phases": [{"io": -1}]}]})",
       "/applications/0/phases/0: found -1, expected zero or more"},
      {R"({"bandwidth": 1, "window": [0, 1], "applications": [{"phases": [{"work": 0.5}]}]})",
       "/applications/0/phases: found 0.5, expected phases that last the window (1 s) when the "
       "application is alone; 'allow_completion' lets it idle then"},
      {R"({"load": -1})", "/load: found -1, expected a number greater than 0"},
      {R"({"small": 50})", "/small: found 50, expected at most 40: a third is of medium size"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.document);
    const auto point = open(row.document);
    REQUIRE_FALSE(point);
    CHECK(point.error().text() == row.error);
  }
}

TEST_CASE("io: what a point says it is reads back as the same point") {
  for (const std::string_view document :
       {R"({"bandwidth": 2, "node_bandwidth": 0.5, "window": [0, 3], "profile": "author",
            "applications": [{"nodes": 2, "phases": [{"io": "1/5"}, {"work": 10}]}]})",
        R"({"applications": 6, "small": 2, "load": 1.1, "length": 2e4})"}) {
    const auto point = open(document).value();
    CHECK(open(to_json(point->definition())).value()->definition() == point->definition());
  }
}

TEST_CASE("io: the same draw gives the same outcome, with any workspace") {
  const auto point = open(R"({"applications": 6, "small": 2, "length": 2e4})").value();
  Workspace workspace;
  for (std::size_t strategy = 0; strategy < 2; ++strategy) {
    const Draw draw{.seed = 3, .instance = 0, .scenario = 2};
    const Outcome once = point->run(draw, strategy, workspace, false).value();
    Workspace fresh;
    const Outcome again = point->run(draw, strategy, fresh, false).value();
    CHECK(once.metrics == again.metrics);
    const Outcome other = point->run({.seed = 4}, strategy, workspace, false).value();
    CHECK(other.metrics != once.metrics);
  }
}
