#include "holdfast/pages/choice.hpp"

#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/fake_domain.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

constexpr auto kFields =
    std::to_array<Parameter>({{.name = "stride", .summary = "of a step", .unit = Unit::seconds}});

Description description(const std::string& parameters, const std::string& report = "") {
  static std::vector<Campaign> kept;
  const auto campaign = parse_campaign(
      "[campaign]\nname = 'x'\ndomain = 'walk'\nstrategies = ['steady', 'bold']\n[parameters]\n" +
          parameters + "\n[report]\n" + report,
      "x.toml", ".", fake::known());
  REQUIRE(campaign);
  return describe_campaign(*campaign);
}

std::string error_of(const std::string& report) {
  const auto choice =
      read_choice(description("steps = [5, 10]\nstride = ['1min', '1h', '2h']", report), kFields);
  return choice ? "none" : choice.error().text();
}

}  // namespace

TEST_CASE(
    "choice: without [report] the first sweep of numbers is the axis and strategies are the "
    "series") {
  const auto choice =
      read_choice(description("steps = [5, 10]\nstride = ['1h', '2h', '1min']"), kFields);
  REQUIRE(choice);
  CHECK(choice->metric == 0);
  REQUIRE(choice->x);
  CHECK(choice->x->name == "steps");
  CHECK(choice->series.is_strategy);
  REQUIRE(choice->y);
  CHECK(choice->y->name == "stride");
  CHECK(choice->charts.front() == ChartKind::ratios);
}

TEST_CASE("choice: the same charts of further metrics") {
  const Description given = description("steps = [5, 10]", "also = ['pace']");
  const auto choice = read_choice(given, kFields);
  REQUIRE(choice);
  CHECK(choice->metric == 0);
  CHECK(choice->also == std::vector<std::size_t>{1});
  CHECK(error_of("also = ['nothing']").find("unknown metric 'nothing'") != std::string::npos);
}

TEST_CASE("dimension: quantities are put in order, in one unit that the title names") {
  const auto found =
      find_dimension(description("stride = ['2h', '1h', '30min']"), "stride", kFields);
  REQUIRE(found);
  CHECK(found->title == "stride (min)");
  CHECK(found->labels == std::vector<std::string>{"30min", "1h", "2h"});
  CHECK(found->numbers == std::vector<double>{30, 60, 120});
  // The positions follow: the first value of the file is the largest.
  CHECK(found->label_of(0, 0) == 2);
  CHECK(found->label_of(2, 0) == 0);
}

TEST_CASE("dimension: a bare number has the unit of the domain's field, others none") {
  CHECK(find_dimension(description("stride = [7200, 3600]"), "stride", kFields)->title ==
        "stride (min)");
  CHECK(find_dimension(description("steps = [5, 10]"), "steps", kFields)->title == "steps");
}

TEST_CASE(
    "dimension: tables are labelled by what distinguishes them, and their members can be asked "
    "for") {
  Description given = description("steps = [5, 10]");
  const auto table = [](double shape, double mtbf) {
    return Value::object({{"distribution", "weibull"}, {"shape", shape}, {"mtbf", mtbf}});
  };
  given.axes.insert(
      given.axes.begin(),
      Axis{.name = "failures", .values = {table(0.7, 1), table(0.5, 1), table(0.7, 2)}});
  CHECK(find_dimension(given, "failures", {})->labels ==
        std::vector<std::string>{"shape 0.7, mtbf 1", "shape 0.5, mtbf 1", "shape 0.7, mtbf 2"});
  const auto shape = find_dimension(given, "failures/shape", {});
  REQUIRE(shape);
  CHECK(shape->numbers == std::vector<double>{0.5, 0.7});
  // Two steps per law: positions 0 and 1 are of the first one.
  CHECK(shape->label_of(1, 0) == 1);
  CHECK(shape->label_of(2, 0) == 0);
  CHECK(shape->label_of(5, 0) == 1);
}

TEST_CASE("dimension: a member of a list of points, where some leave it out") {
  Description given = description("steps = [5, 10]");
  given.axes = {Axis{.name = std::string(kPointsAxis),
                     .values = {Value::object({{"jobs", 3}}), Value::object({{"processors", 8}})}}};
  const auto jobs = find_dimension(given, "jobs", {});
  REQUIRE(jobs);
  CHECK(jobs->labels == std::vector<std::string>{"3", "processors 8"});
  CHECK(jobs->numbers.empty());
}

TEST_CASE("choice: mistakes are named before anything runs") {
  CHECK(error_of("x = 'stepps'") == "[report] x: 'stepps' is not swept; did you mean 'steps'?");
  CHECK(error_of("metric = 'lenght'") ==
        "[report] metric: unknown metric 'lenght'; did you mean 'length'?");
  CHECK(error_of("charts = ['boxs']") ==
        "[report] charts/0: unknown chart 'boxs'; did you mean 'boxes'?");
  CHECK(error_of("log = ['y']") == "[report] log/0: found 'y', expected x or metric");
  CHECK(error_of("serie = 'strategy'").find("did you mean 'series'?") != std::string::npos);
  CHECK(error_of("x = 'steps'\nseries = 'stride'") == "none");  // strategies become small charts
}

TEST_CASE("choice: strategies are never taken together") {
  Description given =
      description("steps = [5, 10]\nstride = [1, 2]", "series = 'steps'\nfacet = 'stride'");
  const auto choice = read_choice(given, kFields);
  REQUIRE_FALSE(choice);
  CHECK(choice.error().where == "[report] series");
}

TEST_CASE("choice: neighbouring labels are taken together where there are many") {
  std::string steps = "steps = [";
  for (int i = 0; i < 10; ++i) steps += std::to_string(10 * i + 10) + ", ";
  const auto steps_of = find_dimension(description(steps + "]"), "steps", kFields);
  REQUIRE(steps_of);
  const Dimension coarse = coarsened(*steps_of, 4);
  CHECK(coarse.labels == std::vector<std::string>{"10 to 30", "40 to 60", "70 to 90", "100"});
  CHECK(coarse.numbers == std::vector<double>{20, 50, 80, 100});
  CHECK(coarse.together_ == 3);
  for (std::size_t position = 0; position < 10; ++position)
    CHECK(coarse.label_of(position, 0) == position / 3);
  CHECK(coarsened(*steps_of, 10).labels == steps_of->labels);
}
