#include "holdfast/models/speedup/fit_report.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace holdfast;

TEST_CASE(
    "speedup report: the models of a profile that follows Amdahl's law, the right one preferred") {
  // 10 s alone and 90 s shared among p processors, rounded to a second's hundredth.
  const std::vector<std::int64_t> processors = {1, 2, 4, 8, 16, 32};
  const std::vector<double> seconds = {100, 55, 32.5, 21.25, 15.63, 12.81};
  const auto profile = make_profile(processors, seconds);
  REQUIRE(profile);
  const SpeedupReport report = report_speedup("bt B", *profile);
  CHECK(report.title == "bt B");
  REQUIRE(report.rows.size() == report.fits.size());
  CHECK(*report.document.find("preferred")->string() == "amdahl");
  std::size_t marked = 0;
  for (const auto& row : report.rows) {
    REQUIRE(row.size() == 5);
    if (row[4].string()->empty()) continue;
    ++marked;
    CHECK(*row[0].string() == "amdahl");
    CHECK(row[1].string()->find("sequential_work 10") != std::string::npos);
    CHECK(row[1].string()->find(" +- ") != std::string::npos);
    CHECK(row[2].number() < 0.1);  // percent
  }
  CHECK(marked == 1);
}

TEST_CASE("speedup report: one number of processors is too few") {
  const auto profile = make_profile(std::vector<std::int64_t>{4}, std::vector<double>{10});
  REQUIRE(profile);
  const SpeedupReport report = report_speedup("", *profile);
  CHECK(report.rows.empty());
  CHECK(report.document.find("preferred") == nullptr);
  CHECK(too_few_for_fit(report) == "the program: one number of processors is too few for a model");
}
