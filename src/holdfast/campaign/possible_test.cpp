#include "holdfast/campaign/possible.hpp"

#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/ranking.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/summary.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

StoredMetric metric(const std::string& name, Better better, const std::string& bounds = {}) {
  return {.name = name, .unit = "s", .better = better, .summary = "", .bounds = bounds};
}

using Positions = std::vector<std::size_t>;

}  // namespace

TEST_CASE("possible: a bound of the run itself comes before a strategy that is one") {
  const std::vector<StoredMetric> metrics = {metric("makespan", Better::lower),
                                             metric("yield", Better::higher),
                                             metric("least", Better::neither, "makespan")};
  CHECK(bound_on(metrics, 0, Positions{1})->metric == 2);
  CHECK_FALSE(bound_on(metrics, 0, Positions{1})->strategy);
  CHECK_FALSE(bound_on(metrics, 1, Positions{1}));  // strategies bound the first metric alone
  CHECK_FALSE(bound_on(metrics, 2, Positions{1}));
  const auto strategy = bound_on(std::span(metrics).first(1), 0, Positions{1});
  CHECK(*strategy->strategy == 1);
  CHECK(strategy->metric == 0);
  CHECK_FALSE(bound_on(std::span(metrics).first(1), 0, Positions{}));
}

TEST_CASE("possible: the part reached is 1 at the bound, in either direction") {
  // Draws of two strategies, the second a bound: 4 against 3, 3 against 3, nothing against nothing.
  const std::vector<std::uint8_t> flags(8, CellFlags::kDone);
  const std::vector<double> values = {4, 3, 3, 3, 0, 0, std::nan(""), 3};
  const PointCells cells(0, 1, 4, 2, 1, flags, values);
  const BoundPlace bound{.metric = 0, .strategy = 1};
  const std::vector<StoredMetric> lower = {metric("x", Better::lower)};
  const std::vector<StoredMetric> higher = {metric("x", Better::higher)};
  CHECK(*part_reached(cells, 0, 0, lower, 0, bound) == 3.0 / 4);
  CHECK(*part_reached(cells, 0, 0, higher, 0, bound) == 4.0 / 3);
  for (const std::size_t draw : {1U, 2U}) {
    CHECK(*part_reached(cells, draw, 0, lower, 0, bound) == 1);
    CHECK(*part_reached(cells, draw, 0, higher, 0, bound) == 1);
  }
  CHECK_FALSE(part_reached(cells, 3, 0, lower, 0, bound));
}

TEST_CASE("possible: a bound is neither ranked nor compared, and others are measured by it") {
  const std::vector<std::uint8_t> flags(6, CellFlags::kDone);
  const std::vector<double> values = {8, 4, 10, 5, 4, 10};
  const PointCells cells(0, 1, 2, 3, 1, flags, values);
  const std::vector<StoredMetric> metrics = {metric("makespan", Better::lower)};
  const Ranking ranking = rank(cells, metrics, 0, Positions{1});
  CHECK(ranking.order == Positions{0, 2});
  CHECK(ranking.rows() == Positions{0, 2, 1});
  const PointSummary summary = summarize(cells, metrics, 2, Positions{1});
  REQUIRE(summary.comparisons.size() == 1);
  CHECK(summary.comparisons[0].denominator == 0);
  CHECK(summary.strategies[0].reached[0]->mean == (4.0 / 8 + 4.0 / 5) / 2);
  CHECK(summary.strategies[2].reached[0]->mean == (4.0 / 10 + 4.0 / 10) / 2);
  const std::vector<std::string> strategies = {"plan", "oracle", "rule"};
  const Value document = to_value(summary, strategies, metrics, Positions{1});
  const Value& results = *document.find("results");
  const auto makespan = [&](std::size_t i) -> const Value& {
    return *(*results.array_items())[i].find("metrics")->find("makespan");
  };
  CHECK(to_compact_json(*makespan(2).find("possible")) ==
        R"({"bound":"oracle","mean":0.4,"standard_error":0,"count":2})");
  CHECK(makespan(1).find("possible") == nullptr);
}

TEST_CASE("possible: results say which of their strategies and metrics are bounds") {
  static const Domain bounded = [] {
    Domain out = fake::domain();
    out.strategies[0].is_bound = true;
    out.metrics[2].bounds = "pace";
    return out;
  }();
  const std::array<const Domain*, 1> known = {&bounded};
  const auto run = [&](const std::string& strategies, const std::filesystem::path& directory) {
    const auto campaign = parse_campaign(
        "[campaign]\nname = 'w'\ndomain = 'walk'\nscenarios = 3\nstrategies = [" + strategies + "]",
        "x.toml", ".", known);
    REQUIRE(campaign);
    REQUIRE(run_campaign(*campaign, directory, {}));
    return Results::open(directory).value();
  };
  const Scratch scratch;
  const Results both = run("'bold', 'steady'", scratch / "both");
  CHECK(both.description().bounds == Positions{1});
  CHECK(both.description().metrics[2].bounds == "pace");
  CHECK(both.description().metrics[0].bounds.empty());
  // Alone it is the strategy in question, not a bound.
  CHECK(run("'steady'", scratch / "alone").description().bounds.empty());
}

TEST_CASE("possible: bounds in a damaged description are dropped") {
  const auto read = [](const std::string& bounds) {
    auto description = parse_description(
        R"({"name":"x","domain":"walk","seed":1,"instances":1,"scenarios":1,"axes":[],"version":"1",)"
        R"("bounds":)" +
        bounds + R"(,"bounding_metrics":{"gone":"length","length":5}})");
    REQUIRE(description);
    complete_description(*description, {"a", "b"}, {metric("length", Better::lower)});
    CHECK(description->metrics[0].bounds.empty());
    return description->bounds;
  };
  CHECK(read("[1]") == Positions{1});
  CHECK(read("[2]").empty());
  CHECK(read("[0, 1]").empty());
  CHECK(read(R"([1, 1, "0"])") == Positions{1});
  CHECK(read("7").empty());
}
