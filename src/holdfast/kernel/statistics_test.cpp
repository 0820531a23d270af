#include "holdfast/kernel/statistics.hpp"

#include "holdfast/kernel/samplers.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace holdfast;

TEST_CASE("moments: 2, 4, 4, 4, 5, 5, 7, 9") {
  Moments moments;
  for (const double x : {2, 4, 4, 4, 5, 5, 7, 9}) moments.add(x);
  CHECK(moments.count() == 8);
  CHECK(moments.mean() == 5);
  CHECK(*moments.variance() == doctest::Approx(32.0 / 7));
  CHECK(*moments.standard_error() == doctest::Approx(std::sqrt(32.0 / 7 / 8)));
  CHECK(moments.minimum() == 2);
  CHECK(moments.maximum() == 9);
}

TEST_CASE("moments: of one value there is no variance, of no value there is nothing") {
  Moments moments;
  CHECK_FALSE(moments.standard_error());
  moments.add(3);
  CHECK(moments.mean() == 3);
  CHECK_FALSE(moments.variance());
  CHECK_FALSE(moments.standard_error());
}

TEST_CASE("moments: a variance that overflows is absent, not infinite") {
  Moments moments;
  moments.add(1e200);
  moments.add(-1e200);
  CHECK(moments.mean() == 0);
  CHECK_FALSE(moments.variance());
}

TEST_CASE("moments: equal values have exactly their mean and no deviation") {
  Moments moments;
  for (int i = 0; i < 1000; ++i) moments.add(0.1);
  CHECK(moments.mean() == 0.1);
  CHECK(*moments.variance() == 0);
}

TEST_CASE("moments: merged parts give what the whole gives") {
  CHECK(rc::check(
      [](const std::vector<std::int32_t>& first, const std::vector<std::int32_t>& second) {
        Moments whole, left, right;
        for (const auto x : first) whole.add(x), left.add(x);
        for (const auto x : second) whole.add(x), right.add(x);
        left.merge(right);
        RC_ASSERT(left.count() == whole.count());
        if (whole.count() == 0) return;
        RC_ASSERT(std::abs(left.mean() - whole.mean()) <= 1e-6);
        RC_ASSERT(left.minimum() == whole.minimum());
        RC_ASSERT(left.maximum() == whole.maximum());
        if (whole.count() < 2) return;
        RC_ASSERT(std::abs(*left.variance() - *whole.variance()) <= 1e-12 * *whole.variance());
      }));
}

TEST_CASE("quantile: linear between order statistics") {
  const std::vector<double> sorted = {1, 2, 4, 8};
  CHECK(quantile(sorted, 0) == 1);
  CHECK(quantile(sorted, 0.5) == 3);                     // position 1.5
  CHECK(quantile(sorted, 0.25) == 1.75);                 // position 0.75
  CHECK(quantile(sorted, 0.9) == doctest::Approx(6.8));  // position 2.7
  CHECK(quantile(sorted, 1) == 8);
  CHECK(quantile(std::vector<double>{5}, 0.1) == 5);
}

TEST_CASE("summary: of one value, every statistic is that value") {
  const auto summary = summarize(std::vector<double>{7});
  REQUIRE(summary);
  CHECK(summary->count == 1);
  CHECK_FALSE(summary->standard_error);
  for (const double x : {summary->mean, summary->minimum, summary->p10, summary->p25,
                         summary->median, summary->p75, summary->p90, summary->maximum}) {
    CHECK(x == 7);
  }
  CHECK_FALSE(summarize({}));
}

TEST_CASE("summary: quantiles need no sorted input") {
  const auto summary = summarize(std::vector<double>{4, 1, 8, 2});
  CHECK(summary->median == 3);
  CHECK(summary->mean == 3.75);
  CHECK(summary->maximum == 8);
}

TEST_CASE("values: whole and other ones have one order") {
  for (const double last : {8.0, 8.5, -0.5, 5e9}) {
    const std::vector<double> some = {4, 0.25, 2, 4, last};
    Values values;
    for (const double one : some) values.add(one);
    const auto summary = std::move(values).summary();
    std::vector<double> sorted = some;
    std::ranges::sort(sorted);
    REQUIRE(summary);
    CHECK(summary->count == 5);
    CHECK(summary->median == sorted[2]);
    CHECK(summary->p10 == quantile(sorted, 0.1));
    CHECK(summary->p90 == quantile(sorted, 0.9));
  }
  CHECK_FALSE(Values{}.summary());
}

TEST_CASE("geometric: 1, 10, 100") {
  GeometricMoments moments;
  for (const double x : {1, 10, 100}) moments.add(x);
  CHECK(*moments.mean() == doctest::Approx(10));
  CHECK(*moments.standard_deviation() == doctest::Approx(10));
  // Student with 2 degrees of freedom: 4.302653; the mean logarithm is ln 10, its error ln 10 /
  // sqrt 3.
  const auto interval = moments.interval();
  REQUIRE(interval);
  const double half = 4.3026527297 * std::log(10) / std::sqrt(3);
  CHECK((*interval)[0] == doctest::Approx(10 * std::exp(-half)));
  CHECK((*interval)[1] == doctest::Approx(10 * std::exp(half)));
}

TEST_CASE("geometric: a zero leaves no mean") {
  GeometricMoments moments;
  moments.add(2);
  CHECK(*moments.mean() == doctest::Approx(2));
  CHECK_FALSE(moments.standard_deviation());
  CHECK_FALSE(moments.interval());
  moments.add(0);
  CHECK(moments.count() == 2);
  CHECK_FALSE(moments.mean());
  CHECK_FALSE(moments.interval());
}

TEST_CASE("paired ratios: of each pair, not of the means") {
  PairedRatios pairs;
  pairs.add(2, 1);
  pairs.add(50, 100);
  CHECK(*pairs.ratios().mean() == doctest::Approx(1));  // 2 and 1/2
  CHECK(*pairs.ratio_of_means() == doctest::Approx(52.0 / 101));
  PairedRatios more;
  more.add(1, 0);
  pairs.merge(more);
  CHECK(pairs.count() == 3);
  CHECK_FALSE(pairs.ratios().mean());
  CHECK(*pairs.ratio_of_means() == doctest::Approx(53.0 / 101));
}

TEST_CASE("paired ratios: nothing over nothing") {
  PairedRatios pairs;
  CHECK_FALSE(pairs.ratio_of_means());
  pairs.add(0, 0);
  CHECK_FALSE(pairs.ratio_of_means());
  CHECK_FALSE(pairs.ratios().mean());
}

TEST_CASE("interval: covers the true geometric mean in 95 % of samples of five") {
  Stream stream({.seed = 5, .purpose = Purpose::tool});
  int covered = 0;
  for (int i = 0; i < 4000; ++i) {
    GeometricMoments moments;
    for (int j = 0; j < 5; ++j) moments.add(sample_lognormal(stream, 1, 0.5));
    const auto interval = *moments.interval();
    covered += interval[0] <= std::exp(1) && std::exp(1) <= interval[1] ? 1 : 0;
  }
  CHECK(covered > 4000 * 0.94);
  CHECK(covered < 4000 * 0.96);
}

TEST_CASE("kolmogorov: values of the printed table, both series") {
  CHECK(kolmogorov_tail(1.3580986) == doctest::Approx(0.05).epsilon(1e-6));
  CHECK(kolmogorov_tail(1.6276236) == doctest::Approx(0.01).epsilon(1e-6));
  CHECK(kolmogorov_tail(0.8275735) == doctest::Approx(0.5).epsilon(1e-6));
  CHECK(kolmogorov_tail(1.1799999) == doctest::Approx(kolmogorov_tail(1.1800001)).epsilon(1e-6));
  CHECK(kolmogorov_tail(0) == 1);
}

TEST_CASE("kolmogorov-smirnov: distance of 0.1, 0.2, 0.9 from the uniform law") {
  // Steps at 1/3, 2/3, 1: the largest gap is 2/3 - 0.2.
  CHECK(kolmogorov_smirnov(std::vector<double>{0.1, 0.2, 0.9}).distance ==
        doctest::Approx(2.0 / 3 - 0.2));
}

TEST_CASE("statistics: the usual quantiles are those of the sorted values, bit by bit") {
  Stream stream(
      StreamKey{.seed = 1, .purpose = Purpose::tool, .instance = 0, .scenario = 0, .entity = 0});
  for (std::size_t size = 1; size < 400; ++size) {
    std::vector<double> values;
    for (std::size_t i = 0; i < size; ++i)
      values.push_back(size % 3 == 0 ? std::floor(10 * stream.uniform()) : stream.uniform());
    std::vector<double> sorted = values;
    std::ranges::sort(sorted);
    const auto found = usual_quantiles(values);
    const std::array probabilities = {0.10, 0.25, 0.50, 0.75, 0.90};
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == quantile(sorted, probabilities[i]));
  }
}
