#include "holdfast/traces/capacity/capacity_series.hpp"

#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include "support/shared_data.hpp"
#include <functional>
#include <string>

using namespace holdfast;
using holdfast::test::shared_data;

namespace {

using Reader = std::function<Result<CapacitySeries>(TraceText, const SeriesQuestion&)>;

Result<CapacitySeries> read_series(Reader reader, const std::string& text,
                                   const SeriesQuestion& question = {}) {
  return reader(LineReader{open_text(text), "series"}, question);
}

std::string message(Reader reader, const std::string& text, const SeriesQuestion& question = {}) {
  const auto series = read_series(reader, text, question);
  return series ? "no error" : series.error().text();
}

// "time:value ..." of every step.
std::string steps(const Result<CapacitySeries>& series) {
  REQUIRE(series);
  std::string out;
  for (const SeriesPoint& point : series->points) {
    out += std::to_string(static_cast<long>(point.time)) + ":" +
           std::to_string(static_cast<long>(point.value)) + " ";
  }
  return out;
}

std::int64_t count_of(const CapacitySeries& series, std::string_view what) {
  for (const Oddity& oddity : series.oddities.list()) {
    if (oddity.what.find(what) != std::string::npos) return oddity.count;
  }
  return 0;
}

}  // namespace

TEST_CASE("spot-json: value i holds from i gaps on, the last one as long as the others") {
  const auto series =
      read_series(read_spot_series, R"({"metadata": {"gap_seconds": 300}, "data": [0, 5, 16]})");
  CHECK(steps(series) == "0:0 300:5 600:16 ");
  CHECK(series->end == 900);
  CHECK(series->of == SeriesOf::machines);
  CHECK(message(read_spot_series, R"({"metadata": {"gap_seconds": 0}, "data": [1]})") ==
        "/metadata/gap_seconds: found 0, expected a number greater than 0");
  CHECK(message(read_spot_series, R"({"metadata": {"gap_seconds": 3}, "data": [1, -1]})") ==
        "/data/1: found -1, expected a number of at least 0");
  CHECK(message(read_spot_series, R"({"metadata": {"gap_seconds": 3}, "data": []})") ==
        "/data: found no value, expected at least one");
}

TEST_CASE("capacity-csv: several values at one time, the last one holds; the unit must be given") {
  const std::string text = "0.000,0\r\n0.030,0\r\n0.030,9\r\n0.059,9\r\n0.059,2\r\n";
  const auto series = read_series(read_step_series, text, {.column = {}, .time_unit = 3600});
  CHECK(steps(series) == "0:0 108:9 212:2 ");
  CHECK(count_of(*series, "at the time of the one before") == 2);
  CHECK(series->end == series->points.back().time);
  CHECK(message(read_step_series, text) ==
        "unit: the file does not say its unit of time, expected 1h, 1s or 1ms to be given");
  CHECK(message(read_step_series, "1,2,3\n", {.column = {}, .time_unit = 1}) ==
        "series:1: found 3 fields, expected time,value");
  CHECK(message(read_step_series, "1,-2\n", {.column = {}, .time_unit = 1}) ==
        "series:1: found '1,-2', expected a time and a number of at least 0");
}

TEST_CASE("series-csv: columns are named or added, empty cells leave the value before") {
  const std::string text =
      ",Solar,Wind\n2020-10-31 00:00:00,1,2\n2020-10-31 00:30:00,3,\n2020-10-31 00:45:00,5,6\n";
  CHECK(message(read_dated_series, text) ==
        "column: found 2 columns of values, expected one of Solar, Wind to be named, or several "
        "joined by +");
  CHECK(message(read_dated_series, text, {.column = "Sonar", .time_unit = {}}) ==
        "column: found 'Sonar', did you mean 'Solar'?");
  const auto sum =
      read_series(read_dated_series, text, {.column = "Solar + Wind", .time_unit = {}});
  REQUIRE(sum);
  REQUIRE(sum->points.size() == 2);
  CHECK(sum->points[0].value == 3);
  CHECK(sum->points[1].value == 11);
  CHECK(sum->points[1].time - sum->points[0].time == 2700);
  CHECK(count_of(*sum, "empty cell") == 1);
  CHECK(sum->of == SeriesOf::power);
  CHECK(sum->is_dated);
  const auto carbon =
      read_series(read_dated_series, "Time,Carbon Intensity\n2020-01-01 00:00:00,5\n");
  REQUIRE(carbon);
  CHECK(carbon->of == SeriesOf::carbon);
  CHECK(message(read_dated_series, "Time,x\nnever,5\n") ==
        "series:2: Time: found 'never', expected seconds or a date such as 2024-03-01T10:00");
  CHECK(message(read_dated_series, "Time,x\n2020-01-01,5 apples\n") ==
        "series: found columns Time, x, expected one for value; try columns time=Time");
}

TEST_CASE("series-csv: rows with an empty cell count towards the end of the series") {
  struct Row {
    std::string_view why;
    std::string_view rows;
    double end;  // seconds after midnight
  };
  const Row rows[] = {
      {"all have values: 1 h and a step of half an hour", "01:00:00,3\n", 5400},
      {"the last has none: the value of 00:30 holds on", "01:00:00,\n", 5400},
      {"the one before the last has none: the step is half an hour",
       "01:00:00,\n2020-01-01 01:30:00,4\n", 7200},
      {"the last two have none", "01:00:00,\n2020-01-01 01:30:00,\n", 7200},
      {"in another order", "01:30:00,4\n2020-01-01 01:00:00,\n", 7200},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    const auto series = read_series(
        read_dated_series, "Time,x\n2020-01-01 00:00:00,1\n2020-01-01 00:30:00,2\n2020-01-01 " +
                               std::string(row.rows));
    REQUIRE(series);
    CHECK(series->end - series->points[0].time == row.end);
  }
}

TEST_CASE("series: rows out of order are sorted, gaps are reported") {
  const auto series =
      read_series(read_dated_series,
                  "Time,x\n2020-01-01 00:00:00,1\n2020-01-01 00:30:00,3\n"
                  "2020-01-01 00:15:00,2\n2020-01-01 01:15:00,5\n2020-01-01 01:30:00,6\n");
  CHECK(count_of(*series, "out of order") == 1);
  CHECK(count_of(*series, "gaps") == 1);
  CHECK(series->points[1].value == 2);
}

TEST_CASE("series: the files of the data collection") {
  const struct {
    const char* file;
    SeriesQuestion question;
    std::size_t points;
    double maximum;
  } rows[] = {
      {"capacity/ger_ci-2020.csv.gz", {}, 37147, 0},
      {"capacity/gb_production-2020.csv.gz", {.column = "Wind Onshore", .time_unit = {}}, 21980, 0},
      {"capacity/ciso-2022-generation.csv.gz", {.column = "WND+SUN", .time_unit = {}}, 8757, 0},
      {"capacity/parcae-p3-32.csv", {.column = {}, .time_unit = 1e-3}, 0, 32},
      {"capacity/bamboo-p2-2020-11-20.csv", {.column = {}, .time_unit = 3600}, 0, 0},
      {"capacity/spot-availability_16-node_aws-08-27-2023_us-west-2a_v100_1.json", {}, 0, 16},
  };
  for (const auto& row : rows) {
    const auto path = shared_data(row.file);
    if (!path) return;
    CAPTURE(row.file);
    const auto series = read_capacity_series(*path, row.question);
    REQUIRE(series);
    if (row.points > 0) CHECK(series->points.size() == row.points);
    double most = 0;
    for (const SeriesPoint& point : series->points) most = std::max(most, point.value);
    if (row.maximum > 0) CHECK(most == row.maximum);
  }
}
