#include "holdfast/campaign/summary.hpp"

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

const std::vector<StoredMetric> kMetrics = {
    {.name = "makespan", .unit = "s", .better = Better::lower, .summary = ""},
    {.name = "failures", .unit = "", .better = Better::lower, .summary = ""}};

}  // namespace

TEST_CASE("summary: pairs need both cells, both metrics, both in the statistics") {
  // Five draws of two strategies; values makespan, failures.
  const std::vector<std::uint8_t> flags = {
      CellFlags::kDone, CellFlags::kDone,     //
      CellFlags::kDone, 0,                    // the second is missing
      CellFlags::kDone, CellFlags::kPresent,  // the second failed and does not count
      CellFlags::kDone, CellFlags::kDone,     // the second has no makespan
      CellFlags::kDone, CellFlags::kDone};
  const double none = std::nan("");
  const std::vector<double> values = {4, 0, 2, 1, 5,    0, 7, 7, 6,  0,
                                      9, 9, 8, 2, none, 2, 6, 0, 12, 3};
  const PointCells cells(0, 1, 5, 2, 2, flags, values);
  const PointSummary summary = summarize(cells, kMetrics, 0);
  CHECK(summary.strategies[0].completed == 5);
  CHECK(summary.strategies[1].completed == 3);
  CHECK(summary.strategies[1].failed == 1);
  CHECK(summary.strategies[1].metrics[0]->count == 2);
  CHECK(summary.strategies[1].metrics[1]->count == 3);
  REQUIRE(summary.comparisons.size() == 2);
  const Comparison& makespan = summary.comparisons[0];
  CHECK(makespan.count == 2);  // 4/2 and 6/12
  CHECK(*makespan.geometric_mean == doctest::Approx(1));
  CHECK(*makespan.ratio_of_means == doctest::Approx(10.0 / 14));
  // Some pair of failures has a 0: no geometric mean, but means have a ratio.
  const Comparison& failures = summary.comparisons[1];
  CHECK(failures.count == 3);
  CHECK_FALSE(failures.geometric_mean);
  CHECK(*failures.ratio_of_means == doctest::Approx(2.0 / 6));
}

TEST_CASE("summary: what does not exist is left out of the document") {
  const std::vector<std::uint8_t> flags = {CellFlags::kDone, 0};
  const std::vector<double> values = {3, std::nan(""), 0, 0};
  const PointCells cells(0, 1, 1, 2, 2, flags, values);
  const std::vector<std::string> strategies = {"a", "b"};
  const Value value = to_value(summarize(cells, kMetrics, 0), strategies, kMetrics);
  CHECK(to_compact_json(value) ==
        R"({"results":[{"strategy":"a","metrics":{"makespan":{"mean":3,"minimum":3,"p10":3,)"
        R"("p25":3,"median":3,"p75":3,"p90":3,"maximum":3,"count":1}},"completed":1,"failed":0},)"
        R"({"strategy":"b","metrics":{},"completed":0,"failed":0}],"comparisons":[]})");
}

TEST_CASE("summary: a quotient of two metrics has a ratio of means too") {
  const std::vector<StoredMetric> metrics{{.name = "makespan", .unit = "s", .summary = ""},
                                          {.name = "bound", .unit = "s", .summary = ""},
                                          {.name = "ratio",
                                           .unit = "",
                                           .summary = "",
                                           .numerator = "makespan",
                                           .denominator = "bound"}};
  // Runs of 6 over 2 and 30 over 20: mean of ratios 2.25, ratio of means 36 / 22.
  StrategySummary one;
  for (const double mean : {18.0, 11.0, 2.25})
    one.metrics.push_back(Summary{.count = 2, .mean = mean});
  CHECK(*ratio_of_means(one, metrics, 2) == 18.0 / 11);
  CHECK_FALSE(ratio_of_means(one, metrics, 0));
  one.metrics[1]->mean = 0;
  CHECK_FALSE(ratio_of_means(one, metrics, 2));
}

TEST_CASE("groups: ratios over all points that agree in some parameters") {
  const Scratch scratch;
  const auto file = parse_campaign(
      "[campaign]\nname = 'x'\ndomain = 'walk'\nscenarios = 5\nbaseline = "
      "'steady'\n[parameters]\nstride = [1, 2]\nsteps = [3, 4, 5]\n",
      "walk.toml", ".", fake::known());
  REQUIRE(run_campaign(*file, scratch / "out"));
  const auto results = Results::open(scratch / "out");
  const std::vector<std::string> by = {"steps"};
  const auto groups = group_ratios(*results, "length", "steady", "bold", by);
  REQUIRE(groups);
  REQUIRE(groups->size() == 3);
  CHECK((*groups)[1].values == std::vector<Value>{4});
  CHECK((*groups)[1].ratios.count() == 2 * 5);
  const auto all = group_ratios(*results, "length", "steady", "bold", {});
  REQUIRE(all->size() == 1);
  CHECK((*all)[0].ratios.count() == 30);
  // The mean logarithm of all is the mean of the groups', which are of one size.
  double product = 1;
  for (const RatioGroup& group : *groups) product *= *group.ratios.ratios().mean();
  CHECK(*(*all)[0].ratios.ratios().mean() == doctest::Approx(std::cbrt(product)));

  CHECK(group_ratios(*results, "lenght", "steady", "bold", by).error().message ==
        "unknown metric 'lenght'; did you mean 'length'?");
  CHECK(group_ratios(*results, "length", "stead", "bold", by).error().message ==
        "unknown strategy 'stead'; did you mean 'steady'?");
  const std::vector<std::string> wrong = {"limit"};
  CHECK(group_ratios(*results, "length", "steady", "bold", wrong).error().message ==
        "unknown parameter 'limit'; known: stride, steps");
}
