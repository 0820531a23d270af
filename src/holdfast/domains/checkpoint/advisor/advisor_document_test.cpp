#include "holdfast/domains/checkpoint/advisor/advisor_document.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

Result<AdvisorPlan> plan_of(const std::string& json) {
  return read_advisor(parse_json(json).value(), ".");
}

std::string refusal(const std::string& json) {
  const auto plan = plan_of(json);
  if (!plan) return plan.error().where + ": " + plan.error().message;
  const auto advisor = make_advisor(*plan, 0);
  return advisor ? "" : advisor.error().where + ": " + advisor.error().message;
}

double first_due(const std::string& json) {
  const auto plan = plan_of(json);
  REQUIRE(plan.has_value());
  auto advisor = make_advisor(*plan, 1000);
  REQUIRE(advisor.has_value());
  advisor->ready(1000);
  return advisor->due() - 1000;
}

}  // namespace

TEST_CASE("advisor document: there is an answer without any configuration") {
  const auto plan = plan_of("{}");
  REQUIRE(plan.has_value());
  CHECK(plan->settings.trust == 1);
  CHECK(plan->instance.law->mean() == 100 * 86400.0);
  CHECK(plan->instance.notes.size() == 1);
  CHECK(first_due("{}") == 60);
  CHECK(std::fabs(first_due(R"({"checkpoint": "1min", "strategy": "adaptive-young-daly"})") -
                  std::sqrt(2 * 60 * 100 * 86400.0)) < 1e-6);
}

TEST_CASE("advisor document: bounds, guesses and strategies") {
  CHECK(first_due(R"({"first": "5min"})") == 300);
  CHECK(first_due(R"({"checkpoint": 60, "max_interval": "10min"})") == 600);
  CHECK(first_due(R"({"checkpoint": 60, "min_interval": "10d"})") == 864'000);
  CHECK(first_due(R"({"strategy": "fixed:1h"})") == 3600);
  CHECK(std::fabs(first_due(R"({"checkpoint": 60, "strategy": "young-daly", "processors": 10})") -
                  std::sqrt(2 * 60 * 10 * 86400.0)) < 1e-6);
  const auto plan =
      plan_of(R"({"trust": "inf", "nodes": ["n1", "n2"], "failures": {"mtbf": "30d"}})");
  REQUIRE(plan.has_value());
  CHECK(std::isinf(plan->settings.trust));
  CHECK(plan->instance.processors == 2);
  CHECK(plan->instance.notes.empty());
  CHECK(make_advisor(*plan, 0)->nodes().count() == 2);
}

TEST_CASE("advisor document: nodes have the ages that their log says, by their numbers") {
  const auto plan = plan_of(
      R"({"nodes": ["n2", "n1"], "checkpoint": 60,
          "failures": {"log": "src/holdfast/traces/samples/failures-csv.csv", "distribution": "weibull"}})");
  REQUIRE(plan.has_value());
  REQUIRE(plan->instance.ages.size() == 2);
  const double second = plan->instance.ages[1].age;
  CHECK(plan->instance.ages[0].age != second);
  auto advisor = make_advisor(*plan, 0);
  REQUIRE(advisor.has_value());
  advisor->ready(0);
  advisor->renewal(1, 0);  // n2 fails: n1 keeps its age
  const Ages ages = advisor->nodes().at(1);
  REQUIRE(ages.groups.size() == 2);
  CHECK(ages.groups[0].age == 0);
  CHECK(ages.groups[1].age == second + 1);
}

TEST_CASE("advisor document: what is refused, and where") {
  struct Row {
    std::string json;
    std::string expected;
  };
  const Row rows[] = {
      {R"({"max_intervall": 5})", "/max_intervall: "},
      {R"({"checkpoint": 0})", "/checkpoint: "},
      {R"({"max_overhead": 0})", "/max_overhead: "},
      {R"({"max_overhead": 2})", "/max_overhead: "},
      {R"({"trust": -1})", "/trust: "},
      {R"({"trust": "much"})", "/trust: "},
      {R"({"min_interval": 60, "max_interval": 30})", "/min_interval: "},
      {R"({"nodes": ["a"], "processors": 2})", "/nodes: "},
      {R"({"nodes": [""]})", "/nodes/0: "},
      {R"({"nodes": 5})", "/nodes: "},
      {R"({"now": 5})", "/now: "},
      {R"({"strategy": "advise"})", "/strategy: "},
      {R"({"strategy": "clairvoyant"})", "/strategy: "},
      {R"({"strategy": "advised:trust=0"})", "/strategy: "},
      {R"({"strategy": "young-daly"})", "/checkpoint: "},
      {R"({"failures": {"events": []}})", "/failures: "},
      {R"({"failures": {"mtbf": -1}})", "/failures/mtbf: "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.json);
    const std::string found = refusal(row.json);
    CAPTURE(found);
    CHECK(found.substr(0, row.expected.size()) == row.expected);
  }
  CHECK(refusal(R"({"max_intervall": 5})").find("max_interval") != std::string::npos);
}
