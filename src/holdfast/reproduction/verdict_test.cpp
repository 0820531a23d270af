#include "holdfast/reproduction/verdict.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::reproduction {

TEST_CASE("verdict: within where every tolerance given holds") {
  struct Case {
    std::string_view why;
    double measured;
    double standard_error;
    double scale;
    std::string_view known;
    Verdict expected;
  };
  const Case cases[] = {
      {"at the published number", 2.0, 0.1, 1, "", Verdict::within},
      {"at the edge of the reference's 4 %", 2.08, 0.1, 1, "", Verdict::within},
      {"beyond the reference's 4 %, inside the published 16 %", 2.1, 0.1, 1, "", Verdict::out},
      {"the same, known", 2.1, 0.1, 1, "no one knows", Verdict::known},
      {"the same with a fifth of the scenarios: 0.1 is inside 4 x 0.1", 2.1, 0.1, 0.2, "",
       Verdict::within_noise},
      {"too far even so", 2.5, 0.1, 0.2, "", Verdict::out},
  };
  for (const Case& one : cases) {
    CAPTURE(one.why);
    Row row;
    row.published = 2.1;
    row.published_tolerance = Tolerance{0.16, true};
    row.reference = 2.0;
    row.reference_tolerance = Tolerance{0.04, true};
    row.known = one.known;
    CHECK(judge(row, {one.measured, one.standard_error, true, 30}, one.scale) == one.expected);
  }
}

TEST_CASE("verdict: a tolerance of combined standard errors grows with that of the mean") {
  Row row;
  row.published = 2;
  row.published_tolerance = parse_tolerance("0.01+4se").value();
  // 0.01 + 4 sqrt(2) 0.02 = 0.1231
  CHECK(judge(row, {2.12, 0.02, true, 30}, 1) == Verdict::within);
  CHECK(judge(row, {2.13, 0.02, true, 30}, 1) == Verdict::out);
  CHECK(judge(row, {2.02, std::nullopt, true, 1}, 1) == Verdict::out);
  CHECK(judge(row, {2.02, std::nullopt, true, 1}, 0.1) == Verdict::unsure);
  CHECK(parse_tolerance("1%+2se")->around(2) == doctest::Approx(0.02));
  CHECK_FALSE(parse_tolerance("1%+se"));
  CHECK_FALSE(parse_tolerance("0.1+-4se"));
}

TEST_CASE("verdict: four draws are too few to call a number out") {
  Row row;
  row.published = 2;
  row.published_tolerance = Tolerance{0.01};
  CHECK(judge(row, {2.5, 0.1, true, 4}, 0.1) == Verdict::unsure);
  CHECK(judge(row, {2.5, 0.1, true, 5}, 0.1) == Verdict::out);
  CHECK(judge(row, {2.3, 0.1, true, 4}, 0.1) == Verdict::within_noise);
  CHECK(judge(row, {2.5, 0.1, true, 4}, 1) == Verdict::out);
}

TEST_CASE("verdict: a number without a tolerance is shown, one that is not there is missing") {
  Row row;
  row.published = 2;
  CHECK(judge(row, {3.0, std::nullopt}, 1) == Verdict::shown);
  CHECK(judge(row, {}, 1) == Verdict::missing);
}

TEST_CASE("verdict: in a short run, what is sampled is not judged without a standard error") {
  Row row;
  row.published = 2;
  row.published_tolerance = Tolerance{0.04, true};
  const Measured exact{.value = 3.0};
  const Measured sampled{.value = 3.0, .is_sampled = true};
  CHECK(judge(row, sampled, 0.02) == Verdict::unsure);
  CHECK(judge(row, sampled, 1) == Verdict::out);
  CHECK(judge(row, exact, 0.02) == Verdict::out);
  Statement statement;
  statement.less = {0, 0};
  statement.than = {std::nullopt, 2};
  CHECK(judge(statement, std::vector{sampled}, 0.02) == Verdict::unsure);
  CHECK(judge(statement, std::vector{exact}, 0.02) == Verdict::out);
}

TEST_CASE("verdict: a statement compares two rows, or a row with a number") {
  const std::vector<Measured> measured{{1.0, 0.1, true, 30}, {1.2, 0.1, true, 30}};
  Statement statement;
  statement.less = {0, 0};
  statement.than = {1, 0};
  CHECK(judge(statement, measured, 1) == Verdict::within);
  std::swap(statement.less, statement.than);
  CHECK(judge(statement, measured, 1) == Verdict::out);
  CHECK(judge(statement, measured, 0.5) == Verdict::within_noise);
  statement.margin = 0.3;
  CHECK(judge(statement, measured, 1) == Verdict::within);
  statement.than = {std::nullopt, 0.8};
  CHECK(judge(statement, measured, 1) == Verdict::out);
  statement.less = {std::nullopt, 0.8};
  CHECK(judge(statement, measured, 1) == Verdict::within);
}

TEST_CASE("verdict: the tally counts what is judged, a missing number as out") {
  Tally tally;
  for (const Verdict verdict : {Verdict::shown, Verdict::within, Verdict::within_noise,
                                Verdict::unsure, Verdict::out, Verdict::known, Verdict::missing}) {
    tally.add(verdict);
  }
  CHECK(tally.within == 2);
  CHECK(tally.out == 2);
  CHECK(tally.known == 1);
  CHECK(tally.unsure == 1);
}

}  // namespace holdfast::reproduction
