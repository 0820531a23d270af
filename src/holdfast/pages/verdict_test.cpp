#include "holdfast/pages/verdict.hpp"

#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/run.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

constexpr std::uint8_t kGivenUp = CellFlags::kPresent;
const std::vector<StoredMetric> kMakespanOnly = {
    {.name = "makespan", .unit = "s", .better = Better::lower, .summary = ""}};

// Draws x strategies, the strategy varying faster.
std::vector<std::string> verdict_of(const std::vector<std::string>& strategies,
                                    const std::vector<double>& values,
                                    std::vector<std::uint8_t> flags = {},
                                    const VerdictContext& context = {}) {
  if (flags.empty()) flags.assign(values.size(), CellFlags::kDone);
  const PointCells cells(0, 1, values.size() / strategies.size(), strategies.size(), 1, flags,
                         values);
  return point_verdict(summarize(cells, kMakespanOnly, 0), rank(cells, kMakespanOnly, 0),
                       strategies, kMakespanOnly, strategies.size() - 1, context);
}

Results run_walks(const std::string& tables, const std::filesystem::path& directory,
                  const std::string& strategies = "'bold', 'steady'", int seed = 1) {
  const auto campaign =
      parse_campaign("[campaign]\nname = 'walks'\ndomain = 'walk'\nscenarios = 40\nseed = " +
                         std::to_string(seed) + "\nstrategies = [" + strategies +
                         "]\nbaseline = 'steady'\n" + tables,
                     "x.toml", ".", fake::known());
  REQUIRE(campaign);
  REQUIRE(run_campaign(*campaign, directory, {}));
  return Results::open(directory).value();
}

Domain recommending(std::string_view strategy) {
  Domain domain;
  domain.recommended = strategy;
  return domain;
}

// Strategies plan, rule and mean, of which rule knows the weather.
Domain knowing() {
  Domain domain = recommending("plan");
  domain.baseline = "mean";
  domain.informed = {
      .strategy = "rule", .knows = "the weather", .field = "sky", .differs = [](const Value&) {
        return true;
      }};
  return domain;
}

// The last sentence on three strategies of which the values are given.
std::string parts_of(const std::vector<double>& values) {
  const std::vector<std::string> strategies{"plan", "rule", "mean"};
  const std::vector<std::uint8_t> flags(values.size(), CellFlags::kDone);
  const PointCells cells(0, 1, values.size() / 3, 3, 1, flags, values);
  const Domain domain = knowing();
  const auto split = split_gain(cells, *split_strategies(domain, strategies), 0);
  return verdict_of(strategies, values, {}, {.domain = &domain, .why_alike = {}, .split = split})
      .back();
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("verdict: the best beside each other one, the baseline first") {
  // Always 100, 125, 110, 104: 1/1.1 is 9.1 % less, 1/1.25 is 20 % less, 1/1.04 is 3.8 % less.
  CHECK(verdict_of({"a", "b", "c", "base"}, {100, 125, 110, 104, 200, 250, 220, 208}) ==
        Lines{"a ends 3.8 % sooner than base (the same in both runs)",
              "a ends 9.1 % sooner than c (the same in both runs)",
              "a ends 20 % sooner than b (the same in both runs)"});
}

TEST_CASE("verdict: one draw is never called no difference, and has no interval") {
  CHECK(verdict_of({"a", "b"}, {100, 97}) ==
        Lines{"b ends 3.0 % sooner than a (one draw, no interval)"});
}

TEST_CASE("verdict: a recommended strategy that is behind is named so") {
  const Domain domain = recommending("next-step");
  const VerdictContext context{
      .domain = &domain, .why_alike = "failures are memoryless", .split = {}};
  CHECK(verdict_of({"next-step:quantum=1h", "daly"}, {112, 100, 111, 100}, {}, context) ==
        Lines{"daly ends 10 % sooner than next-step:quantum=1h (95 % interval 5 to 15 %): the "
              "recommended strategy is worse here"});
  CHECK(verdict_of({"next-stepping", "daly"}, {112, 100, 111, 100}, {}, context)[0].ends_with(
      "(95 % interval 5 to 15 %)"));
}

TEST_CASE("verdict: a bound is no competitor, and what the best one reached of it is said") {
  const Domain domain = recommending("plan");
  const std::vector<std::uint8_t> flags(6, CellFlags::kDone);
  const std::vector<double> values = {100, 50, 110, 200, 100, 220};
  const std::vector<std::string> strategies = {"plan", "oracle", "rule"};
  const PointCells cells(0, 1, 2, 3, 1, flags, values);
  const std::vector<std::size_t> bounds = {1};
  const auto told = [&](const PointCells& of, std::optional<std::size_t> baseline) {
    return point_verdict(summarize(of, kMakespanOnly, baseline, bounds),
                         rank(of, kMakespanOnly, 0, bounds), strategies, kMakespanOnly, baseline,
                         {.domain = &domain, .why_alike = {}, .split = {}});
  };
  CHECK(told(cells, 2) == Lines{"plan ends 9.1 % sooner than rule (the same in both runs)",
                                "plan reaches at least 50 % of what is possible (bound: oracle)"});
  // One that meets its bound.
  const std::vector<double> met = {50, 50, 110, 100, 100, 220};
  CHECK(told(PointCells(0, 1, 2, 3, 1, flags, met), 2).back() ==
        "plan reaches all that is possible (bound: oracle)");
}

TEST_CASE("verdict: of one strategy beside a bound, its mean") {
  const std::vector<std::uint8_t> flags(4, CellFlags::kDone);
  const std::vector<double> values = {4, 3, 8, 6};
  const PointCells cells(0, 1, 2, 2, 1, flags, values);
  const std::vector<std::size_t> bounds = {1};
  const std::vector<std::string> strategies = {"plan", "oracle"};
  CHECK(point_verdict(summarize(cells, kMakespanOnly, std::nullopt, bounds),
                      rank(cells, kMakespanOnly, 0, bounds), strategies, kMakespanOnly,
                      std::nullopt) ==
        Lines{"plan: makespan 6 s on average, 4.4 s to 7.6 s in 80 % of 2 runs",
              "plan reaches at least 75 % of what is possible (bound: oracle)"});
}

TEST_CASE("verdict: what comes out alike says why, where the domain knows") {
  const Domain domain = recommending("a");
  const VerdictContext context{
      .domain = &domain, .why_alike = "failures are memoryless", .split = {}};
  CHECK(
      verdict_of({"a", "b"}, {5, 5, 6, 6}, {}, context) ==
      Lines{
          "no difference between a and b: the same makespan in all runs; failures are memoryless"});
  CHECK(verdict_of({"a", "b"}, {100, 101, 101, 100}, {}, context)[0] ==
        "no difference between a and b is shown: a ends from 13 % later to 12 % sooner (95 % "
        "interval); failures are memoryless");
}

TEST_CASE("verdict: a gain is divided between knowing more and the plan") {
  // ln(100 / 81) is twice ln(100 / 90): half of the gain each.
  CHECK(parts_of({81, 90, 100, 810, 900, 1000}) ==
        "of the gain over mean, 50 % comes from knowing the weather (as rule does), 50 % from the "
        "plan");
  CHECK(parts_of({90, 90, 100, 900, 900, 1000}) ==
        "the gain over mean comes from knowing the weather: rule, which knows no more, ends 10.0 % "
        "sooner than mean (the same in both runs)");
  CHECK(parts_of({91, 90, 100, 910, 900, 1000}) ==
        "the gain over mean comes from knowing the weather: rule, which knows no more, gains more");
  CHECK(parts_of({90, 100, 100, 900, 1000, 1000}) ==
        "the gain over mean comes from the plan: no gain from knowing the weather alone (rule) is "
        "shown");
  // Always ahead of the mean, of the rule half of the time, as the rule is of the mean.
  CHECK(parts_of({90, 80, 100, 90, 101, 100}) ==
        "these runs do not show how much of the gain over mean comes from knowing the weather, and "
        "how much from the plan");
}

TEST_CASE("verdict: where there is no gain, or one draw, it has no parts") {
  CHECK(parts_of({100, 90, 90, 1000, 900, 900}).find("weather") == std::string::npos);
  CHECK(parts_of({81, 90, 100}).find("weather") == std::string::npos);
}

TEST_CASE("verdict: a gain has parts only where all three strategies ran to their end") {
  const Domain domain = knowing();
  const auto three = split_strategies(domain, Lines{"mean", "other", "plan", "rule"});
  REQUIRE(three);
  CHECK(three->recommended == 2);
  CHECK(three->informed == 3);
  CHECK(three->baseline == 0);
  CHECK(!split_strategies(domain, Lines{"mean", "plan", "rule:by=2"}));
  CHECK(!split_strategies(recommending("plan"), Lines{"mean", "plan", "rule", ""}));
  const std::vector<double> values{100, 100, 90, 95};
  CHECK(split_gain(PointCells(0, 1, 1, 4, 1,
                              std::vector<std::uint8_t>{CellFlags::kDone, kGivenUp,
                                                        CellFlags::kDone, CellFlags::kDone},
                              values),
                   *three, 0));
  CHECK(!split_gain(PointCells(0, 1, 1, 4, 1,
                               std::vector<std::uint8_t>{CellFlags::kDone, CellFlags::kDone,
                                                         CellFlags::kDone, kGivenUp},
                               values),
                    *three, 0));
}

TEST_CASE("verdict: a run that was given up is no result") {
  CHECK(verdict_of({"a", "b"}, {100, 50, 100, 1e9},
                   {CellFlags::kDone, CellFlags::kDone, CellFlags::kDone, kGivenUp}) ==
        Lines{"a finished all 2 runs, b gave up 1 of 2 runs"});
  CHECK(verdict_of({"a", "b"}, {100, 50, 100, 1e9},
                   {kGivenUp, CellFlags::kDone, CellFlags::kDone, kGivenUp}) ==
        Lines{"b gave up 1 of 2 runs, a gave up 1 of 2 runs: they are not compared"});
  CHECK(verdict_of({"a"}, {100, 50}, {kGivenUp, CellFlags::kDone}) ==
        Lines{"a gave up 1 of 2 runs: no mean is shown"});
}

TEST_CASE("verdict: one strategy has its mean") {
  CHECK(verdict_of({"a"}, {3600, 7200, 10800}) ==
        Lines{"a: makespan 2 h on average, 1 h 12 min to 2 h 48 min in 80 % of 3 runs"});
  CHECK(verdict_of({"a"}, {3600}) == Lines{"a: makespan 1 h (one draw)"});
}

TEST_CASE("verdict: of many strategies the nearest are named") {
  CHECK(verdict_of({"a", "b", "c", "d", "e", "f", "g", "h"}, {1, 2, 3, 4, 5, 6, 7, 8}).size() == 6);
  CHECK(verdict_of({"a", "b", "c", "d", "e", "f", "g", "h"}, {1, 2, 3, 4, 5, 6, 7, 8}).back() ==
        "2 more pairs: see the table");
}

TEST_CASE("verdict: a campaign says its range over the points before the average") {
  const Scratch scratch;
  // A bold walk of many strides is longer than a steady one, by a part that depends on the draw alone.
  const Results results = run_walks("[parameters]\nsteps = [10, 1000]\n", scratch / "r");
  const auto told = campaign_verdict(results, 0, &fake::domain());
  REQUIRE(told);
  REQUIRE(told->size() == 1);
  double low = 1, high = 0;
  REQUIRE(results.for_each_point([&](const PointCells& cells) -> Status {
    const double by = 1 - *compare(cells, 1, 0, 0)->geometric_mean;  // of steady, which is shorter
    low = std::min(low, by);
    high = std::max(high, by);
    return {};
  }));
  CHECK(told->front().starts_with(
      "steady is " + std::to_string(static_cast<int>(std::lround(100 * low))) + " to " +
      std::to_string(static_cast<int>(std::lround(100 * high))) +
      " % better than bold in length at both points; on average "));
  CHECK(told->front().ends_with(" %): the recommended strategy is worse here"));
}

TEST_CASE("verdict: a difference at one of many points is no finding by itself") {
  // Without regard to their strides, bold walks of many steps are as long as steady ones on average.
  const std::string tables =
      "[parameters]\nsteps = [100, 200, 400, 800, 1600, 3200, 6400, 12800]\n";
  int by_chance = 0;
  for (int seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const Scratch scratch;
    const Results results = run_walks(tables, scratch / "r", "'bold:0.001', 'steady'", seed);
    int decided = 0;
    REQUIRE(results.for_each_point([&](const PointCells& cells) -> Status {
      const auto interval = compare(cells, 0, 1, 0)->interval.value();
      if (interval[0] > 1 || interval[1] < 1) ++decided;
      return {};
    }));
    const std::string told = campaign_verdict(results, 0)->front();
    CAPTURE(told);
    const bool is_shown = told.find("no difference between") == std::string::npos;
    const bool may_be_chance = told.find(": no more than chance alone would show)") != told.npos ||
                               told.find(", no more than chance alone would show)") != told.npos;
    CHECK(is_shown == (decided > 0 && !may_be_chance));
    if (may_be_chance) CHECK((decided == 1 || decided == 2));
    by_chance += may_be_chance ? 1 : 0;
  }
  CHECK(by_chance > 0);
}

TEST_CASE("verdict: of a campaign the parts are those of the average gain") {
  const Scratch scratch;
  Domain domain = knowing();
  domain.recommended = "steady";
  domain.informed.strategy = "bold:by=2";
  domain.baseline = "bold:by=4";
  const Results results = run_walks("[parameters]\nsteps = [10, 1000]\n", scratch / "r",
                                    "'bold:2', 'bold:4', 'steady'");
  const auto told = campaign_verdict(results, 0, &domain);
  REQUIRE(told);
  CHECK(told->back().starts_with("on average, of the gain over bold:4, "));
  CHECK(told->back().find(" % comes from knowing the weather (as bold:2 does), ") !=
        std::string::npos);
  CHECK(campaign_verdict(results, 0)->back().find("weather") == std::string::npos);
}

TEST_CASE("verdict: points at which a run was given up are left out, and counted") {
  const Scratch scratch;
  // Of 4 strides of mean 1 some walk is longer than 9; of strides of a thousandth none is.
  const Results results =
      run_walks("[parameters]\nsteps = 4\nlimit = 9\nstride = [0.001, 0.002, 1]\n", scratch / "r");
  const auto told = campaign_verdict(results, 0);
  REQUIRE(told);
  CHECK(told->front().find("; 1 point left out, at which one of them gave up runs") !=
        std::string::npos);
  CHECK(told->front().find(" at both points") != std::string::npos);
}

TEST_CASE("verdict: a campaign says which problem it is about, and what its points differ in") {
  const Scratch scratch;
  CHECK(campaign_problem(run_walks("[parameters]\nsteps = 5\n", scratch / "one")) ==
        "a walk of 5 strides (seed 1)");
  CHECK(campaign_problem(
            run_walks("[parameters]\nsteps = [5, 6]\nstride = [1, 2, 3]\n", scratch / "six")) ==
        "6 points that differ in steps, stride; the first: a walk of 5 strides (seed 1)");
  CHECK(campaign_problem(
            run_walks("[parameters]\nsteps = [5, 6]\nstride = [2]\n", scratch / "two")) ==
        "2 points that differ in steps; the first: a walk of 5 strides (seed 1)");
}

TEST_CASE("verdict: a campaign of one point says what a simulation says") {
  const Scratch scratch;
  const auto told = campaign_verdict(run_walks("[parameters]\nsteps = 5\n", scratch / "r"), 0);
  REQUIRE(told);
  CHECK(told->front().starts_with("steady is "));
  CHECK(told->front().find(" % better than bold in length (95 % interval ") != std::string::npos);
  const auto none = campaign_verdict(run_walks("[parameters]\nsteps = [5, 6]\n", scratch / "n"), 2);
  CHECK(none->empty());  // it is not known which number of steps is better
}
