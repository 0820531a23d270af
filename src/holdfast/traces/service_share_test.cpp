#include "holdfast/traces/capacity/service_share.hpp"

#include "holdfast/traces/availability/outage_history.hpp"
#include "holdfast/traces/failures/plain_failures.hpp"
#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/read_text.hpp"
#include "support/shared_data.hpp"
#include <string>
#include <utility>

using namespace holdfast;
using holdfast::test::read_text;
using holdfast::test::shared_data;

namespace {

LineReader service_lines(std::string text) {
  return LineReader{open_text(std::move(text)), "log"};
}

// The share in service as a format of that record reads it.
template <class Record>
Result<CapacitySeries> service_in(std::string_view name, std::string text) {
  const auto format = std::ranges::find(formats(), name, &Format::name);
  return format->as<Record>()->read_service(service_lines(std::move(text)));
}

// "hours:share ... end", the hours counted from the first instant.
std::string steps(const Result<CapacitySeries>& series) {
  if (!series) return series.error().text();
  const double first = series->points.front().time;
  std::string out;
  for (const SeriesPoint& point : series->points) {
    out += fmt::format("{:g}:{:g} ", (point.time - first) / 3600, point.value);
  }
  return out + fmt::format("{:g}", (series->end - first) / 3600);
}

std::int64_t oddities_of(const CapacitySeries& series, std::string_view what) {
  for (const Oddity& oddity : series.oddities.list()) {
    if (oddity.what.find(what) != std::string::npos) return oddity.count;
  }
  return 0;
}

std::string incident(const std::string& start, const std::string& stop, const std::string& length,
                     const std::string& severity, const std::string& affected) {
  return fmt::format("2020,\"2020-05-0{}:00\",\"2020-05-0{}:00\",\"{}\",\"{}\",\"{}\",\"x\"\n",
                     start, stop, length, severity, affected);
}

std::string reservation(const std::string& name, const std::string& start, int seconds, int nodes) {
  return fmt::format(
      "\"2013-04-10 {}:00.000000\",\"2013-04-10 "
      "23:00:00.000000\",\"{}\",\"mira\",\"q\",0,\"\",1,{},"
      "9000,\"{}.0000\",\"1.0\",\"2.0\",\"MIR\",0,\"complete\"\r\n",
      start, name, seconds, nodes);
}

}  // namespace

TEST_CASE("what is out at one time adds up, and more than the whole is never out") {
  ServiceShare share{4};
  share.cover(0, 36000);
  share.out(3600, 10800);            // 1 of 4
  share.out(7200, 14400, 2);         // 3 of 4 until 3 h, then 2 of 4
  share.out(18000, 21600, 3);        // 5 h to 6 h: 3 of 4
  share.out(18000, 21600, 3);        // and 3 more
  share.out(21600, 25200, 1);        // begins as they end
  share.out(28800, 28800);           // no time
  share.out(32400, 1.0 / 0.0, 0.5);  // does not end
  const auto series = std::move(share).finish();
  CHECK(steps(series) == "0:1 1:0.75 2:0.25 3:0.5 4:1 5:0 6:0.75 7:1 9:0.875 10");
  CHECK(series->of == SeriesOf::in_service);
  CHECK(steps(ServiceShare{1}.finish()) ==
        "found nothing that was out of service for any time, expected at least one outage");
}

TEST_CASE("availability: workers that are reclaimed, down or not watched are out") {
  AvailabilityRecord record;
  record.to = 14400;
  record.workers = {{"a", {{0, 7200, WorkerState::up}, {7200, 14400, WorkerState::reclaimed}}},
                    {"b", {{3600, 7200, WorkerState::down}, {7200, 10800, WorkerState::up}}}};
  CHECK(steps(service_of(record)) == "0:0.5 2:0.5 3:0 4");
}

TEST_CASE("outages: one after the other on a node are joined, those of length 0 take nothing") {
  const auto of = [](const std::string& text) -> std::string {
    const auto log = read_plain_failures(service_lines(text), {});
    return log ? steps(service_of(*log)) : log.error().text();
  };
  const std::string head = "# observed: 0 to 36000\n# nodes: 4\nnode,down,up\n";
  CHECK(of(head + "a,3600,10800\na,7200,14400\nb,7200,7200\nb,10800,\n") ==
        "0:1 1:0.75 3:0.5 4:0.75 10");
  CHECK(of(head + "a,3600,3600\n") ==
        "found outages of length 0 alone, expected some that say when they ended");
}

TEST_CASE("service-windows: the whole machine is out, and on between them") {
  const auto log = read_text<FailureLog>("service-windows",
                                         "2013-04-08 14:00:00,2013-04-08 18:00:00\n"
                                         "2013-04-01 14:00:00,2013-04-01 16:00:00\n"
                                         "2013-04-08 16:00:00,2013-04-08 20:00:00\n");
  REQUIRE(log);
  const auto series = service_of(*log);
  CHECK(steps(series) == "0:0 2:1 168:0 174");
  CHECK(series->is_dated);
  CHECK(oddities_of(*series, "overlap") == 1);
}

TEST_CASE("wynton-incidents: what is affected, how badly, and which of two lengths") {
  const std::string header = "year,start,stop,length,severity,affected,reason\n";
  const struct {
    const char* why;
    std::string rows;
    const char* steps;
  } rows[] = {
      {"a major outage takes all, a partial one half",
       incident("1T00", "1T02", "2 hours", "major-outage", "jobs, beegfs") +
           incident("1T04", "1T06", "2 hours", "partial-outage", "compute-gpu"),
       "0:0 2:1 4:0.5 6"},
      {"at one time they add up to all at most",
       incident("1T00", "1T04", "4 hours", "under-maintenance, partial-outage", "compute, *") +
           incident("1T01", "1T03", "2 hours", "partial-outage", "jobs") +
           incident("1T02", "1T03", "1 hours", "under-maintenance", "beegfs, *"),
       "0:0.5 1:0 2:0 3:0.5 4"},
      {"nothing (n/a) and storage alone take no machine",
       incident("1T00", "1T02", "2 hours", "major-outage", "beegfs") +
           incident("1T00", "1T02", "2 hours", "under-maintenance", "n/a") +
           incident("1T04", "1T06", "2 hours", "major-outage", "*"),
       "0:0 2"},
      {"1 h is stated, not 2 days; 2 h by the times, not 9; an hour of difference is none",
       incident("1T00", "3T00", "1.0 hours", "major-outage", "jobs") +
           incident("1T04", "1T06", "9 hours", "major-outage", "jobs") +
           incident("1T08", "1T10", "1.5 hours", "major-outage", "jobs"),
       "0:0 1:1 4:0 6:1 8:0 10"},
      {"ends before it starts", incident("2T00", "1T00", "1 hours", "major-outage", "*"),
       "found nothing that was out of service for any time, expected at least one outage"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.why);
    CHECK(steps(service_in<FailureLog>("wynton-incidents", header + row.rows)) == row.steps);
  }
  CHECK(steps(service_in<FailureLog>("wynton-incidents",
                                     header + "2020,never,\"\",\"\",\"\",\"*\",\"\"\n")) ==
        "log:2: start: found 'never', expected a date");
}

TEST_CASE("mira-reservations: those for hardware take their nodes for the length that they state") {
  const auto series =
      service_in<JobLog>("mira-reservations", reservation("R.hw.a", "10:00", 7200, 512) +
                                                  reservation("R.hw.b", "11:00", 7200, 24576) +
                                                  reservation("R.course", "10:00", 9000, 49152) +
                                                  reservation("R.hw.all", "12:00", 3600, 49152));
  CHECK(steps(series) == "0:0.989583 1:0.489583 2:0 3");
  CHECK(oddities_of(*series, "other ends than hardware") == 1);
  CHECK(
      steps(service_in<JobLog>("mira-reservations", reservation("R.course", "10:00", 9000, 512))) ==
      "found nothing that was out of service for any time, expected at least one outage");
}

TEST_CASE("in service: the files of the data collection") {
  const struct {
    const char* file;
    double hours_lost;  // of the whole machine; as another program counted them
    const char* oddity;
    std::int64_t count;
  } rows[] = {
      {"capacity/mira-maintenance.csv", 1811.399444, "overlap", 1},
      {"capacity/mira-reservations-a.csv", 120.853987, "before the one above", 53},
      {"capacity/wynton-incidents-2018-2022.csv", 1210.0625, "lengths", 7},
  };
  for (const auto& row : rows) {
    const auto path = shared_data(row.file);
    if (!path) return;
    CAPTURE(std::string(row.file));
    const auto series = read_capacity_series(*path, {});
    REQUIRE(series);
    CHECK(series->of == SeriesOf::in_service);
    CHECK(oddities_of(*series, row.oddity) == row.count);
    double lost = 0;
    for (std::size_t i = 0; i < series->points.size(); ++i) {
      const bool is_last = i + 1 == series->points.size();
      const double until = is_last ? series->end : series->points[i + 1].time;
      lost += (1 - series->points[i].value) * (until - series->points[i].time);
    }
    CHECK(lost / 3600 == doctest::Approx(row.hours_lost).epsilon(1e-8));
  }
}

TEST_CASE("in service: what is no capacity, and logs without repairs, are refused by name") {
  const auto message = [](const std::string& file) {
    const auto series = read_capacity_series("src/holdfast/traces/samples/" + file, {});
    return series ? "no error" : series.error().text();
  };
  CHECK(message("swf.swf").ends_with("expected a series of capacity, outages or availability"));
  CHECK(message("bluegene-ras.txt") ==
        "src/holdfast/traces/samples/bluegene-ras.txt: found outages of length 0 alone, expected "
        "some that say when they ended");
  CHECK(message("lanl.csv") == "no error");
  CHECK(message("avt.avt") == "no error");
}
