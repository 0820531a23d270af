#include "holdfast/pages/gain.hpp"

#include <doctest/doctest.h>

namespace holdfast {
namespace {

const StoredMetric kMakespan{
    .name = "makespan", .unit = "s", .better = Better::lower, .summary = ""};
const StoredMetric kYield{
    .name = "minimum_yield", .unit = "", .better = Better::higher, .summary = ""};

PairComparison pair(std::optional<double> ratio, std::optional<std::array<double, 2>> interval = {},
                    std::uint64_t pairs = 100) {
  return {.strategy = "a",
          .other = "b",
          .pairs = pairs,
          .ratio = ratio,
          .interval = interval,
          .ratio_of_means = ratio};
}

}  // namespace

TEST_CASE("gain: at least so much of what is possible is rounded down") {
  CHECK(possible_text("a", 0.9662, "b") ==
        "a reaches at least 96 % of what is possible (bound: b)");
  CHECK(possible_text("a", 0.87, "b") == "a reaches at least 87 % of what is possible (bound: b)");
  CHECK(possible_text("a", 0.0249, "b") ==
        "a reaches at least 2.4 % of what is possible (bound: b)");
  CHECK(possible_text("a", 0.99985, "b") ==
        "a reaches at least 99.98 % of what is possible (bound: b)");
}

TEST_CASE("gain: more is better, whatever the metric") {
  CHECK(gain(kMakespan, 0.983) == doctest::Approx(0.017));
  CHECK(gain(kYield, 1.017) == doctest::Approx(0.017));
  CHECK(gain(kYield, 0.5) == -0.5);
}

TEST_CASE("gain: a few of many intervals exclude no difference by chance") {
  CHECK_FALSE(is_chance(1, 1));
  CHECK(is_chance(1, 2));  // 1 - 0.95^2 is 10 %
  CHECK_FALSE(is_chance(2, 2));
  CHECK(is_chance(2, 12));  // 12 % would show two or more, 2 % three or more
  CHECK_FALSE(is_chance(3, 12));
  CHECK(is_chance(9, 100));  // 6 % nine or more, 3 % ten or more
  CHECK_FALSE(is_chance(10, 100));
}

TEST_CASE("gain: the better one stands first, with the interval of the gain") {
  CHECK(sentence_of(kMakespan, pair(0.983, {{0.968, 0.998}})) ==
        "a ends 1.7 % sooner than b (95 % interval 0.2 to 3.2 %)");
  // b is ahead: the same pair, turned around. 1 - 1/1.125 = 11.1 %.
  CHECK(sentence_of(kMakespan, pair(1.125, {{1.0988, 1.15}})) ==
        "b ends 11 % sooner than a (95 % interval 9 to 13 %)");
  CHECK(sentence_of(kYield, pair(1.029, {{1.021, 1.037}})) ==
        "a is 2.9 % better than b in minimum yield (95 % interval 2.1 to 3.7 %)");
  CHECK(sentence_of(kYield, pair(0.8, {{0.78, 0.82}})) ==
        "b is 25 % better than a in minimum yield (95 % interval 22 to 28 %)");
}

TEST_CASE("gain: a narrow interval gets the decimals that distinguish its ends") {
  CHECK(sentence_of(kMakespan, pair(0.8766, {{0.875, 0.879}})) ==
        "a ends 12.3 % sooner than b (95 % interval 12.1 to 12.5 %)");
  CHECK(sentence_of(kMakespan, pair(0.98, {{0.9612, 0.9998}})) ==
        "a ends 2.00 % sooner than b (95 % interval 0.02 to 3.88 %)");
}

TEST_CASE("gain: draws that all say the same have no interval") {
  CHECK(sentence_of(kMakespan, pair(0.37, {{0.37, 0.37}}, 50)) ==
        "a ends 63 % sooner than b (the same in all 50 runs)");
  CHECK(sentence_of(kMakespan, pair(0.37, {{0.37, 0.37}}, 2)) ==
        "a ends 63 % sooner than b (the same in both runs)");
  CHECK(sentence_of(kYield, pair(4, {{4, 4}}, 50)) ==
        "a is 4 times as good as b in minimum yield (the same in all 50 runs)");
  CHECK_FALSE(are_alike(kMakespan, 0.37, 0.371));
  CHECK_FALSE(are_alike(kMakespan, 0.99, 1.01));
}

TEST_CASE("gain: one draw has no interval, and shows what it shows") {
  CHECK(sentence_of(kMakespan, pair(0.971, {}, 1)) ==
        "a ends 2.9 % sooner than b (one draw, no interval)");
  CHECK(sentence_of(kMakespan, pair(1, {}, 1)) ==
        "no difference between a and b: the same makespan (one draw)");
}

TEST_CASE("gain: an interval on both sides shows no difference, and says how large one may be") {
  CHECK(sentence_of(kMakespan, pair(0.9955, {{0.988, 1.003}})) ==
        "no difference between a and b is shown: a ends from 0.3 % later to 1.2 % sooner (95 % "
        "interval)");
  CHECK(sentence_of(kYield, pair(1.004, {{0.997, 1.012}})) ==
        "no difference between a and b is shown: a is from 0.3 % worse to 1.2 % better in minimum "
        "yield (95 % interval)");
  CHECK(sentence_of(kMakespan, pair(1, {{1, 1}})) ==
        "no difference between a and b: the same makespan in all runs");
}

TEST_CASE("gain: large factors are factors") {
  CHECK(sentence_of(kMakespan, pair(1 / 128.0, {{1 / 136.0, 1 / 120.0}})) ==
        "a is 128 times as fast as b (95 % interval 120 to 136 times)");
  CHECK(sentence_of(kYield, pair(0.25, {{0.2, 0.3}})) ==
        "b is 4 times as good as a in minimum yield (95 % interval 3.3 to 5 times)");
}

TEST_CASE("gain: where the means say the opposite, the reader is told") {
  PairComparison known = pair(0.98, {{0.97, 0.99}});
  known.ratio_of_means = 1.03;
  CHECK(sentence_of(kMakespan, known) ==
        "a ends 2.0 % sooner than b (95 % interval 1.0 to 3.0 %); yet its mean is 3.0 % later: a "
        "few runs weigh much in it");
}

TEST_CASE("gain: without a ratio the means speak, or nothing does") {
  PairComparison known = pair(std::nullopt);
  known.ratio_of_means = 0.8;
  CHECK(standing_of(kYield, known) == Standing::undecided);
  CHECK(sentence_of(kYield, known) ==
        "b is 25 % better than a in minimum yield on average (no interval: some runs have 0)");
  known.ratio_of_means = std::nullopt;
  CHECK(sentence_of(kYield, known) ==
        "a and b cannot be compared in minimum yield: no draw has a ratio of them");
}

TEST_CASE("gain: ranges say their direction once where it is one") {
  CHECK(range_text(kMakespan, 0.008, 0.18) == "0.8 to 18.0 % sooner");
  CHECK(range_text(kMakespan, -0.18, -0.1) == "10 to 18 % later");
  CHECK(range_text(kYield, -0.004, 0.18) == "from 0.4 % worse to 18.0 % better");
  CHECK(range_text(kYield, 0.05, 0.05) == "5.0 % better");
  CHECK(range_text(kYield, 0, 0.18) == "0 to 18 % better");
}

}  // namespace holdfast
