#include "holdfast/campaign/ranking.hpp"

#include "holdfast/campaign/cell.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

constexpr std::uint8_t kGivenUp = CellFlags::kPresent;

std::vector<StoredMetric> one_metric(Better better) {
  return {{.name = "x", .unit = "", .better = better, .summary = ""}};
}

using Order = std::vector<std::size_t>;

}  // namespace

TEST_CASE("ranking: the order is that of the paired ratios, not of the means") {
  // Three draws of three strategies. Means 7, 6.67, 5; geometric means 4, 6.6, 5.
  const std::vector<double> values = {1, 6, 5, 4, 6, 5, 16, 8, 5};
  const std::vector<std::uint8_t> flags(9, CellFlags::kDone);
  const PointCells cells(0, 1, 3, 3, 1, flags, values);
  const Ranking lower = rank(cells, one_metric(Better::lower), 0);
  CHECK(lower.order == Order{0, 2, 1});
  REQUIRE(lower.beside_best.size() == 2);
  CHECK(lower.beside_best[0].numerator == 0);
  CHECK(lower.beside_best[0].denominator == 2);
  CHECK(*lower.beside_best[0].geometric_mean == doctest::Approx(4.0 / 5));
  CHECK(rank(cells, one_metric(Better::higher), 0).order == Order{1, 2, 0});
  const Ranking neither = rank(cells, one_metric(Better::neither), 0);
  CHECK(neither.order == Order{0, 1, 2});
  CHECK(neither.beside_best.empty());
}

TEST_CASE(
    "ranking: a strategy that gives up a run is behind all that do not, however fast its other "
    "runs are") {
  const std::vector<double> values = {1, 6, std::nan(""), 8};
  const std::vector<std::uint8_t> flags = {CellFlags::kDone, CellFlags::kDone, kGivenUp,
                                           CellFlags::kDone};
  const PointCells cells(0, 1, 2, 2, 1, flags, values);
  CHECK(rank(cells, one_metric(Better::lower), 0).order == Order{1, 0});
}

TEST_CASE("ranking: a value of 0 has no logarithm, and then means decide for all") {
  const std::vector<double> values = {0, 2, 6, 3};
  const std::vector<std::uint8_t> flags(4, CellFlags::kDone);
  const PointCells cells(0, 1, 2, 2, 1, flags, values);
  const Ranking ranking = rank(cells, one_metric(Better::higher), 0);
  CHECK(ranking.order == Order{0, 1});  // 3 against 2.5
  CHECK_FALSE(ranking.beside_best[0].geometric_mean);
  CHECK(*ranking.beside_best[0].ratio_of_means == doctest::Approx(6.0 / 5));
}

TEST_CASE("ranking: equals stay in the order in which they were named, the absent come last") {
  const std::vector<double> values = {std::nan(""), 3, 3};
  const std::vector<std::uint8_t> flags(3, CellFlags::kDone);
  const PointCells cells(0, 1, 1, 3, 1, flags, values);
  const Ranking ranking = rank(cells, one_metric(Better::lower), 0);
  CHECK(ranking.order == Order{1, 2, 0});
  CHECK(ranking.beside_best[1].count == 0);
}
