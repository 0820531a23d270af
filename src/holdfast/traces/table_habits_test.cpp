// Habits of people and of spreadsheets: totals below a table, dates that are numbers, blanks around quotes, times of day in columns.
#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/oddity_counts.hpp"
#include <cmath>
#include <string>

using namespace holdfast;
using holdfast::test::counts;

namespace {

template <class Record>
Result<Record> read_habit(const std::string& text, const TableQuestion& question = {}) {
  HOLDFAST_TRY(trace, open_trace(open_text(text), "t.csv", ReadAs("", question)));
  const auto* of = trace.format->as<Record>();
  if (of == nullptr) return fail(ErrorCode::bad_format, "", "another kind");
  return of->read_all(std::move(trace.lines), {});
}

template <class Record>
std::string word_on(const std::string& text, const TableQuestion& question = {}) {
  const auto record = read_habit<Record>(text, question);
  return record ? "no error" : record.error().text();
}

std::int64_t count_of(const Oddities& oddities, std::string_view what) {
  for (const auto& [name, count] : counts(oddities)) {
    if (name == what) return count;
  }
  return 0;
}

}  // namespace

TEST_CASE("habits: a row of totals below a table is none of its rows") {
  for (const char* total : {"Total,2,1.5\n", "Total: 2,,\n", "total,,\nAverage,,0.75\n",
                            ",Sum,1.5\n", "Total of 2 outages\n"}) {
    CAPTURE(std::string(total));
    const auto log =
        read_habit<FailureLog>(std::string("node,down,up\na,2025-03-01 10:00,2025-03-01 11:00\n"
                                           "b,2025-03-15 08:30,2025-03-15 09:00\n") +
                               total);
    REQUIRE((log ? "" : log.error().text()) == "");
    CHECK(log->outages.size() == 2);
    CHECK(log->nodes.size() == 2);
    CHECK(count_of(log->oddities, "rows of totals") >= 1);
  }
  const auto jobs = read_habit<JobLog>(
      "job,submit,start,end,cores\n1,2025-03-01 10:00,2025-03-01 10:00,2025-03-01 11:00,\"1,024\"\n"
      "Sum,,,,1024\n");
  REQUIRE(jobs);
  REQUIRE(jobs->jobs.size() == 1);
  CHECK(jobs->jobs[0].processors == 1024);
  const auto runs =
      read_habit<SpeedupTable>("cores,walltime,efficiency\n1,1000,100%\n2,510,98%\nmean,755,99%\n");
  REQUIRE(runs);
  CHECK((*runs)[0].seconds == std::vector<double>{1000, 510});
  const auto power = read_habit<CapacitySeries>(
      "time,power (kW)\n2025-01-01 00:00,\"1,200.5\"\n2025-01-01 "
      "01:00,\"1,300.5\"\nTotal,\"2,501.0\"\n");
  REQUIRE(power);
  CHECK(power->points.size() == 2);
  // A node may be called so.
  const auto node = read_habit<FailureLog>(
      "node,down,up\nmax,2025-03-01 10:00,2025-03-01 11:00\ntotal,2025-03-02 10:00,\n");
  REQUIRE(node);
  CHECK(node->outages.size() == 2);
}

TEST_CASE("habits: dates of a spreadsheet that are numbers are asked about, and read as told") {
  const std::string points = "node,down,up\na,45231.5,45231.75\nb,45240.25,45240.5\n";
  const std::string commas = "Node;Date down;Date up\na;45231,5;45231,75\nb;45240,25;45240,5\n";
  for (const std::string& text : {points, commas}) {
    const std::string word = word_on<FailureLog>(text);
    CHECK(word.find("column_unit: found nothing, expected down=excel or down=s") !=
          std::string::npos);
    TableQuestion question;
    question.column_unit = "down=excel,up=excel";
    const auto log = read_habit<FailureLog>(text, question);
    REQUIRE((log ? "" : log.error().text()) == "");
    CHECK(log->is_dated);
    CHECK(log->outages.at(0).down == parse_instant("2023-11-01T12:00")->seconds);
    CHECK(log->outages.at(0).up == parse_instant("2023-11-01T18:00")->seconds);
  }
  TableQuestion seconds;
  seconds.column_unit = "down=s,up=s";
  const auto log = read_habit<FailureLog>(points, seconds);
  REQUIRE(log);
  CHECK_FALSE(log->is_dated);
  // What Holdfast writes says that its times are seconds; whole numbers are no dates under the names of fields.
  CHECK(word_on<FailureLog>("# times in seconds\n" + points) == "no error");
  CHECK(word_on<FailureLog>("node,down,up\na,45231,45232\n") == "no error");
  CHECK(word_on<FailureLog>("node,date\na,45231\n") != "no error");
}

TEST_CASE("habits: fractions of processors are rounded up") {
  for (const char* cpu : {"500m,1500m", "0.5,1.5", "500m,2"}) {
    CAPTURE(std::string(cpu));
    const std::string text = cpu;
    const std::size_t comma = text.find(',');
    const auto log = read_habit<JobLog>(
        "pod,created,started,finished,cpu\n"
        "a,2025-03-01T10:00:00Z,2025-03-01T10:00:10Z,2025-03-01T11:00:10Z," +
        text.substr(0, comma) +
        "\nb,2025-03-01T10:00:00Z,2025-03-01T10:00:10Z,2025-03-01T12:00:10Z," +
        text.substr(comma + 1) + "\n");
    REQUIRE((log ? "" : log.error().text()) == "");
    CHECK(log->jobs[0].processors == 1);
    CHECK(log->jobs[1].processors == 2);
    CHECK(count_of(log->facts.oddities, "jobs of fractions of a processor") >= 1);
  }
}

TEST_CASE("habits: the times of day of a begin and an end beside one date") {
  const auto log = read_habit<FailureLog>(
      "node,date,start,end\na,2025-03-04,10:00,12:30\nb,2025-03-05,23:00,01:00\n");
  REQUIRE((log ? "" : log.error().text()) == "");
  CHECK(log->outages.at(0).down == parse_instant("2025-03-04T10:00")->seconds);
  CHECK(log->outages.at(0).up == parse_instant("2025-03-04T12:30")->seconds);
  CHECK(log->outages.at(1).up == parse_instant("2025-03-06T01:00")->seconds);
  const auto series = read_habit<CapacitySeries>(
      "Datum;Anfang;Ende;Photovoltaik [MWh] Berechnete Auflösungen\n"
      "01.03.2025;00:00;01:00;1.234,5\n01.03.2025;01:00;02:00;0\n01.03.2025;02:00;03:00;7\n");
  REQUIRE((series ? "" : series.error().text()) == "");
  REQUIRE(series->points.size() == 3);
  CHECK(series->points[1].time - series->points[0].time == 3600);
}

TEST_CASE("habits: a column of fixed width without a name belongs to the one on its left") {
  const auto log = read_habit<FailureLog>(
      "Node      Down                 Up\n"
      "n1        2025-03-01 10:00     2025-03-01 11:00\n"
      "n2        2025-03-05 10:00     -\n");
  REQUIRE(log);
  CHECK(log->outages.at(0).up - log->outages.at(0).down == 3600);
  CHECK(log->outages.at(1).down == parse_instant("2025-03-05T10:00")->seconds);
}

TEST_CASE("habits: blanks around quotes") {
  const auto log = read_habit<FailureLog>(
      "\"node\" , \"reason, in words\",\"down\" ,up\n"
      "\"a\" ,  \"fan, dust\" , \"2025-03-01 10:00\", \"2025-03-01 11:00\" \n");
  REQUIRE((log ? "" : log.error().text()) == "");
  CHECK(log->outages.at(0).up - log->outages.at(0).down == 3600);
  CHECK(word_on<FailureLog>("node,down,up\n\"a\"x,2025-03-01,2025-03-02\n")
            .find("behind a closing quote") != std::string::npos);
}

TEST_CASE("habits: dates that are not read are named with their column") {
  for (const char* text : {"Knoten;Ausfall;Wieder da\nn1;13 Μαρτίου 2025;14 Μαρτίου 2025\n",
                           "host,failed,back\nn1,2025年3月13日,2025年3月14日\n"}) {
    CAPTURE(std::string(text));
    const std::string word = word_on<FailureLog>(text);
    CHECK(word.find("01.03.2024 10:00 or 1 Mar 2024 10:00") != std::string::npos);
  }
  CHECK(word_on<FailureLog>("host,failed,back\nn1,2025年3月13日,2025年3月14日\n")
            .find("found '2025年3月13日' in column 'failed'") != std::string::npos);
  CHECK(word_on<FailureLog>(std::string("n\0o\0d\0e\0,\0d\0o\0w\0n\0", 18))
            .find("iconv -f UTF-16LE") != std::string::npos);
}

TEST_CASE("habits: months in the languages of their spreadsheets") {
  for (const char* date : {"13. März 2025 10:00", "13 mars 2025 10:00", "13 de marzo de 2025 10:00",
                           "Mar-13-2025 10:00"}) {
    CAPTURE(std::string(date));
    const auto log = read_habit<FailureLog>("Knoten;Ausfall\nn1;" + std::string(date) + "\n");
    REQUIRE((log ? "" : log.error().text()) == "");
    CHECK(log->outages.at(0).down == parse_instant("2025-03-13T10:00")->seconds);
  }
  const auto latin = read_habit<FailureLog>(
      "Knoten;Ausfall;Wieder da\nn1;13. M\xE4rz 2025 10:00;13. M\xE4rz 2025 11:00\n");
  REQUIRE((latin ? "" : latin.error().text()) == "");
  CHECK(latin->outages.at(0).up - latin->outages.at(0).down == 3600);
}

TEST_CASE("habits: names over two lines, a title in cells, empty rows, names of rows") {
  const std::string rows =
      "a,2025-03-01 10:00,2025-03-01 11:00\nb,2025-03-02 10:00,2025-03-02 11:00\n";
  for (const std::string& text :
       {"\"Node\",\"Down\n(local time)\",\"Up\n(local time)\"\n" + rows,
        "Outages of our cluster,,\n,,\nnode,down,up\n" + rows, "node,down,up\n" + rows + ",,\n,,\n",
        std::string("node,down,up\n1,a,2025-03-01 10:00,2025-03-01 11:00\n"
                    "2,b,2025-03-02 10:00,2025-03-02 11:00\n"),
        "Node,Date down,Date up\n" + rows}) {
    CAPTURE(text);
    const auto log = read_habit<FailureLog>(text);
    REQUIRE((log ? "" : log.error().text()) == "");
    REQUIRE(log->outages.size() == 2);
    CHECK(log->nodes[log->outages.at(1).node].name == "b");
    CHECK(log->outages.at(1).up - log->outages.at(1).down == 3600);
  }
}

TEST_CASE("habits: what a table says twice is compared, or refused") {
  const auto log = read_habit<FailureLog>(
      "node,down,up,duration\na,2025-03-01 10:00,2025-03-01 11:00,2:30:00\n"
      "b,2025-03-02 10:00,2025-03-02 11:00,1:00:00\n");
  REQUIRE(log);
  CHECK(count_of(log->oddities, "lengths that differ from up minus down by more than a minute") ==
        1);
  CHECK(word_on<FailureLog>("node,down,down\na,2025-03-01 10:00,2025-03-01 11:00\n")
            .find("found two columns 'down', number 2 and 3, expected different names; try columns "
                  "down=2") != std::string::npos);
}

TEST_CASE("habits: windows with a value are a series, and nanoseconds are dates") {
  CHECK(word_on<CapacitySeries>("startTime;endTime;Wind power generation\n"
                                "2025-01-01T00:00:00.000Z;2025-01-01T00:15:00.000Z;1234.5\n"
                                "2025-01-01T00:15:00.000Z;2025-01-01T00:30:00.000Z;1240\n") ==
        "no error");
  CHECK(word_on<FailureLog>("start,end,hours\n2025-03-01 10:00,2025-03-01 11:30,1.5\n") ==
        "no error");
  const auto log = read_habit<FailureLog>("node,down\na,1740823200000000000\n");
  REQUIRE((log ? "" : log.error().text()) == "");
  CHECK(log->outages.at(0).down == parse_instant("2025-03-01T10:00")->seconds);
}

TEST_CASE("habits: run times of the shell, and in a unit beside them") {
  const auto shell = read_habit<SpeedupTable>(
      "threads,real,user,sys\n1,0m10.500s,0m10.4s,0m0.1s\n2,1m5.25s,0m10.5s,0m0.1s\n");
  REQUIRE((shell ? "" : shell.error().text()) == "");
  CHECK((*shell)[0].seconds == std::vector<double>{10.5, 65.25});
  const auto units = read_habit<SpeedupTable>("processes,time,unit\n1,10,min\n2,330,s\n");
  REQUIRE((units ? "" : units.error().text()) == "");
  CHECK((*units)[0].seconds == std::vector<double>{600, 330});
  CHECK(word_on<SpeedupTable>("processes,time,unit\n1,10,min\n2,330,kg\n")
            .find("expected a unit of time") != std::string::npos);
}

TEST_CASE("habits: processors by node, and other names of processors") {
  const auto by_node = read_habit<JobLog>(
      "jobid,submit,start,end,nodes,ppn\n1,2025-03-01 10:00,2025-03-01 10:00,2025-03-01 "
      "11:00,2,16\n");
  REQUIRE(by_node);
  CHECK(by_node->jobs[0].processors == 32);
  for (const char* name : {"num_procs", "vcpus"}) {
    const auto log =
        read_habit<JobLog>(fmt::format("id,submit_time,run_time,{}\n1,0,100,4\n", name));
    REQUIRE((log ? "" : log.error().text()) == "");
    CHECK(log->jobs[0].processors == 4);
  }
}

TEST_CASE("habits: words and dates that say that an outage has not ended") {
  for (const char* none : {"ongoing", "still down", "0000-00-00 00:00:00", "1970-01-01 00:00:00",
                           "9999-12-31 23:59"}) {
    CAPTURE(std::string(none));
    const auto log = read_habit<FailureLog>(std::string("host,start,end\nn1,2025-03-01 10:00,") +
                                            none + "\nn2,2025-03-02 10:00,2025-03-02 11:00\n");
    REQUIRE((log ? "" : log.error().text()) == "");
    CHECK(std::isinf(log->outages.at(0).up));
    CHECK(log->outages.at(1).up - log->outages.at(1).down == 3600);
    CHECK(log->to < parse_instant("2026-01-01")->seconds);
  }
  CHECK(word_on<FailureLog>("host,start,end\nn1,2025-03-01 10:00,see ticket 7\n"
                            "n2,2025-03-02 10:00,2025-03-02 11:00\n")
            .find("t.csv:2: end: found 'see ticket 7'") != std::string::npos);
}

TEST_CASE("habits: the number of an hour beside a date") {
  for (const bool is_end : {false, true}) {
    std::string text = "date,hour,MW\n";
    for (int hour = 0; hour < 24; ++hour)
      text += fmt::format("2025-03-01,{},{}\n", hour + (is_end ? 1 : 0), 100 + hour);
    const auto series = read_habit<CapacitySeries>(text + "2025-03-02,1,7\n");
    REQUIRE((series ? "" : series.error().text()) == "");
    CHECK(series->points.size() == 25);
    CHECK(series->points[5].time == parse_instant("2025-03-01T05:00")->seconds);
    CHECK(series->points[5].value == 105);
  }
}

TEST_CASE("habits: points between thousands beside dates with points") {
  const auto log = read_habit<FailureLog>(
      "Server;Ausfall;Dauer (min)\nn1;01.03.2025 10:00;90\nn2;02.03.2025 10:00;1.200\n");
  REQUIRE(log);
  CHECK(log->outages.at(1).up - log->outages.at(1).down == 1200 * 60);
  const auto fraction = read_habit<FailureLog>(
      "Server;Ausfall;Dauer (min)\nn1;01.03.2025 10:00;90.5\nn2;02.03.2025 10:00;1.200\n");
  REQUIRE(fraction);
  CHECK(fraction->outages.at(1).up - fraction->outages.at(1).down == doctest::Approx(72));
}
