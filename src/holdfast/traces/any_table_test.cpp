// Tables of many forms that mean the same, and tables that need a word from a person.
#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

/// Returns the trace in a text, read as what it looks like.
Result<OpenTrace> opened(const std::string& text, const ReadAs& as = {}) {
  return open_trace(open_text(text), "t.csv", as);
}

template <class Record>
Result<Record> read(const std::string& text, const ReadAs& as = {},
                    const RecordsQuestion& question = {}) {
  HOLDFAST_TRY(trace, opened(text, as));
  const Format& format = *trace.format;
  const auto* of = format.as<Record>();
  if (of == nullptr) return fail(ErrorCode::bad_format, "", "read as " + std::string(format.name));
  return of->read_all(std::move(trace.lines), question);
}

template <class Record>
std::string message(const Result<Record>& result) {
  return result ? "no error" : result.error().text();
}

ReadAs asked(TableQuestion question, std::string name = {}) {
  return {std::move(name), std::move(question)};
}

struct Form {
  const char* what;
  std::string text;
  ReadAs as = {};
};

// The same three outages: a on 1 March 10:00 to 11:00, b on 15 March 8:30 to 9:00, a on 2 April 0:00 to 0:30, all in 2025.
const std::vector<Form>& outages() {
  static const std::vector<Form> kForms = {
      {"plain",
       "node,down,up\na,2025-03-01T10:00,2025-03-01T11:00\nb,2025-03-15 08:30,2025-03-15 "
       "09:00\na,2025-04-02T00:00Z,2025-04-02T00:30Z\n"},
      {"synonyms",
       "hostname,failed_at,repaired_at\na,2025-03-01T10:00,2025-03-01T11:00\nb,2025-03-15T08:30,"
       "2025-03-15T09:00\na,2025-04-02,2025-04-02T00:30\n"},
      {"capitals and blanks",
       "Node, Start , End\na, 2025-03-01 10:00, 2025-03-01 11:00\nb, 2025-03-15 08:30, 2025-03-15 "
       "09:00\na, 2025-04-02 00:00, 2025-04-02 00:30\n"},
      {"semicolons, days first",
       "node;down;up\na;01.03.2025 10:00;01.03.2025 11:00\nb;15.03.2025 08:30;15.03.2025 "
       "09:00\na;02.04.2025 00:00;02.04.2025 00:30\n"},
      {"tabs, months first",
       "Host\tDown at\tUp at\na\t03/01/2025 10:00 AM\t3/1/2025 11:00 AM\nb\t03/15/2025 8:30 "
       "AM\t3/15/2025 9:00 AM\na\t04/02/2025 12:00 AM\t4/2/2025 12:30 AM\n"},
      {"days first, proven by a number above 12",
       "node,down,up\na,01/03/2025 10:00,01/03/2025 11:00\nb,15/03/2025 08:30,15/03/2025 "
       "09:00\na,02/04/2025 00:00,02/04/2025 00:30\n"},
      {"CR LF and a byte order mark",
       "\xEF\xBB\xBFnode,down,up\r\na,2025-03-01T10:00,2025-03-01T11:00\r\nb,2025-03-15T08:30,2025-"
       "03-15T09:00\r\na,2025-04-02T00:00,2025-04-02T00:30\r\n"},
      {"Unix milliseconds",
       "node,down,up\na,1740823200000,1740826800000\nb,1742027400000,1742029200000\na,"
       "1743552000000,1743553800000\n"},
      {"Unix microseconds",
       "node,down,up\na,1740823200000000,1740826800000000\nb,1742027400000000,1742029200000000\na,"
       "1743552000000000,1743553800000000\n"},
      {"lengths in place of ends",
       "node,down,duration\na,2025-03-01T10:00,1:00:00\nb,2025-03-15T08:30,30min\na,2025-04-02T00:"
       "00,1800\n"},
      {"lengths in minutes",
       "node,start,duration "
       "(min)\na,2025-03-01T10:00,60\nb,2025-03-15T08:30,30\na,2025-04-02T00:00,30\n"},
      {"quotes, a title, a rule, other columns",
       "Failures of our cluster\n\nnode,reason,down,up\n\"a\",\"fan, dust\",\"2025-03-01 "
       "10:00\",\"2025-03-01 11:00\"\n\"b\",\"disk \"\"2\"\"\",2025-03-15 08:30,2025-03-15 "
       "09:00\na,,2025-04-02 00:00,2025-04-02 00:30\n"},
      {"a cell over two lines",
       "node,reason,down,up\na,\"fan\ndust\",2025-03-01 10:00,2025-03-01 11:00\nb,x,2025-03-15 "
       "08:30,2025-03-15 09:00\na,,2025-04-02 00:00,2025-04-02 00:30\n"},
      {"pipes as on a page",
       "| node | down             | up               "
       "|\n|------|------------------|------------------|\n| a    | 2025-03-01 10:00 | 2025-03-01 "
       "11:00 |\n| b    | 2025-03-15 08:30 | 2025-03-15 09:00 |\n| a    | 2025-04-02 00:00 | "
       "2025-04-02 00:30 |\n"},
      {"trailing pipes",
       "Host|Down|Up|\na|2025-03-01T10:00|2025-03-01T11:00|\nb|2025-03-15T08:30|2025-03-15T09:00|"
       "\na|2025-04-02T00:00|2025-04-02T00:30|\n"},
      {"blanks",
       "node  down              up\na     2025-03-01T10:00  2025-03-01T11:00\nb     "
       "2025-03-15T08:30  2025-03-15T09:00\na     2025-04-02T00:00  2025-04-02T00:30\n"},
      {"fixed width with a rule",
       "node  down                 up\n----- -------------------- -------------------\na     "
       "2025-03-01 10:00     2025-03-01 11:00\nb     2025-03-15 08:30     2025-03-15 09:00\na     "
       "2025-04-02 00:00     2025-04-02 00:30\n"},
      {"header after #",
       "# node down up\na 2025-03-01T10:00 2025-03-01T11:00\nb 2025-03-15T08:30 "
       "2025-03-15T09:00\na 2025-04-02T00:00 2025-04-02T00:30\n"},
      {"a header in the middle",
       "node,start,end\na,2025-03-01T10:00,2025-03-01T11:00\nb,2025-03-15T08:30,2025-03-15T09:"
       "00\nnode,start,end\na,2025-04-02T00:00,2025-04-02T00:30\n"},
      {"JSON, an array",
       R"([{"node": "a", "down": "2025-03-01T10:00:00Z", "up": "2025-03-01T11:00:00Z"},
        {"node": "b", "down": "2025-03-15T08:30:00Z", "up": "2025-03-15T09:00:00Z"},
        {"node": "a", "down": "2025-04-02T00:00:00Z", "up": "2025-04-02T00:30:00Z"}])"},
      {"JSON, lines",
       "{\"host\": \"a\", \"start\": 1740823200000, \"end\": 1740826800000}\n{\"host\": \"b\", "
       "\"start\": 1742027400000, \"end\": 1742029200000}\n{\"host\": \"a\", \"start\": "
       "1743552000000, \"end\": 1743553800000}\n"},
      {"JSON, nested",
       R"({"ok": true, "data": [{"host": "a", "time": {"start": "2025-03-01 10:00", "end": "2025-03-01 11:00"}},
        {"host": "b", "time": {"start": "2025-03-15 08:30", "end": "2025-03-15 09:00"}},
        {"host": "a", "time": {"start": "2025-04-02 00:00", "end": "2025-04-02 00:30"}}]})"},
      {"words for months",
       "node,down,up\na,1 Mar 2025 10:00,1 Mar 2025 11:00\nb,15 Mar 2025 08:30,15 Mar 2025 "
       "09:00\na,2 Apr 2025 00:00,2 Apr 2025 00:30\n"},
      {"mail dates",
       "node;down;up\na;Sat, 01 Mar 2025 10:00:00 +0000;Sat, 01 Mar 2025 11:00:00 +0000\nb;Sat, 15 "
       "Mar 2025 09:30:00 +0100;Sat, 15 Mar 2025 09:00:00 GMT\na;Wed, 02 Apr 2025 00:00:00 "
       "+0000;Wed, 02 Apr 2025 00:30:00 +0000\n"},
      {"names from a person",
       "Knoten;Ausfall;Wieder da\na;01.03.2025 10:00;01.03.2025 11:00\nb;15.03.2025 "
       "08:30;15.03.2025 09:00\na;02.04.2025 00:00;02.04.2025 00:30\n",
       asked({.columns = "node=Knoten,down=Ausfall,up='Wieder da'",
              .column_unit = {},
              .where = {},
              .dates = {},
              .header = {}})},
      {"numbers of columns",
       "2025-03-01 10:00,a,2025-03-01 11:00\n2025-03-15 08:30,b,2025-03-15 09:00\n2025-04-02 "
       "00:00,a,2025-04-02 00:30\n",
       asked({.columns = "node=2,down=1,up=3",
              .column_unit = {},
              .where = {},
              .dates = {},
              .header = "none"})},
      {"a unit from a person",
       "node,down,up\na,483562,483563\nb,483896.5,483897\na,484320,484320.5\n",
       asked(
           {.columns = {}, .column_unit = "down=h,up=h", .where = {}, .dates = {}, .header = {}})},
      {"rows from a person",
       "kind,node,down,up\nfail,a,2025-03-01T10:00,2025-03-01T11:00\nfail,b,2025-03-15T08:30,2025-"
       "03-15T09:00\nplanned,c,2025-03-16T08:30,2025-03-16T09:00\nfail,a,2025-04-02T00:00,2025-04-"
       "02T00:30\n",
       asked({.columns = {}, .column_unit = {}, .where = "kind=fail", .dates = {}, .header = {}})},
      {"an order from a person",
       "node,down,up\na,1/3/25 10:00,1/3/25 11:00\nb,15/3/25 08:30,15/3/25 09:00\na,2/4/25 "
       "00:00,2/4/25 00:30\n",
       asked({.columns = {}, .column_unit = {}, .where = {}, .dates = "dmy", .header = {}})},
      {"UTF-16",
       std::string("\xFF\xFE", 2) +
           [] {
             std::string wide;
             for (const char c : std::string(
                      "node\tdown\tup\r\na\t2025-03-01T10:00\t2025-03-01T11:00\r\nb\t2025-03-15T08:"
                      "30\t2025-03-15T09:00\r\na\t2025-04-02T00:00\t2025-04-02T00:30\r\n")) {
               wide += c;
               wide += '\0';
             }
             return wide;
           }()},
      {"Latin-1",
       "node,up,down,Gr\xFC"
       "nde\na,2025-03-01T11:00,2025-03-01T10:00,L\xFC"
       "fter\nb,2025-03-15T09:00,2025-03-15T08:30,-\na,2025-04-02T00:30,2025-04-02T00:00,-\n"},
  };
  return kForms;
}

}  // namespace

TEST_CASE("any table: the same outages in every form") {
  const double starts[] = {1740823200, 1742027400, 1743552000};
  const double lengths[] = {3600, 1800, 1800};
  for (const Form& form : outages()) {
    CAPTURE(form.what);
    const auto log = read<FailureLog>(form.text, form.as);
    CHECK(message(log) == "no error");
    if (!log) continue;
    REQUIRE(log->outages.size() == 3);
    CHECK(log->nodes.size() == 2);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(log->outages.at(i).down == starts[i]);
      CHECK(log->outages.at(i).up - log->outages.at(i).down == doctest::Approx(lengths[i]));
      CHECK(log->nodes[log->outages.at(i).node].name == (i == 1 ? "b" : "a"));
    }
  }
}

TEST_CASE("any table: words for a missing end") {
  const auto log = read<FailureLog>(
      "node,start,end\na,2025-03-01T10:00,N/A\nb,2025-03-02T10:00,NULL\nc,2025-03-03T10:00,-\n"
      "d,2025-03-04T10:00,Unknown\ne,2025-03-05T10:00,2025-03-05T11:00\n");
  REQUIRE(log);
  CHECK(log->rows == 5);
  CHECK(std::isinf(log->outages.at(0).up));
  CHECK_FALSE(std::isinf(log->outages.at(4).up));
}

TEST_CASE("any table: jobs with dates, clocks, states and names") {
  const std::vector<Form> kForms = {
      {"plain",
       "job,submit,wait,run,processors\n7,1740819600,600,3000,16\n8,1740823200,0,7200,32\n"},
      {"dates and clocks",
       "job,submit,start,elapsed,ncpus\n7,2025-03-01T09:00:00,2025-03-01T09:10:00,0:50:00,16\n8,"
       "2025-03-01T10:00:00,2025-03-01T10:00:00,02:00:00,32\n"},
      {"start and end",
       "JobID|Submit|Start|End|AllocCPUS|User|State\n7|2025-03-01T09:00:00|2025-03-01T09:10:00|"
       "2025-03-01T10:00:00|16|anna|COMPLETED\n8|2025-03-01T10:00:00|2025-03-01T10:00:00|2025-03-"
       "01T12:00:00|32|bob|FAILED\n"},
      {"minutes",
       "job;submit_time;wait (min);runtime (min);cores\n7;01.03.2025 09:00;10;50;16\n8;01.03.2025 "
       "10:00;0;120;32\n"},
      {"decimal commas",
       "job;submit;wait;run;cores\n7;2025-03-01 09:00;600,0;3.000,0;16\n8;2025-03-01 "
       "10:00;0,0;7.200,0;32\n"},
      {"milliseconds",
       R"({"jobs": [{"job_id": 7, "submit_time": 1740819600000, "start_time": 1740820200000, "end_time": 1740823200000, "num_cores": 16},
        {"job_id": 8, "submit_time": 1740823200000, "start_time": 1740823200000, "end_time": 1740830400000, "num_cores": 32}]})"},
  };
  for (const Form& form : kForms) {
    CAPTURE(form.what);
    const auto log = read<JobLog>(form.text, form.as);
    CHECK(message(log) == "no error");
    if (!log) continue;
    REQUIRE(log->jobs.size() == 2);
    CHECK(log->jobs[0].number == 7);
    CHECK(log->jobs[0].submit == 1740819600);
    CHECK(log->jobs[0].wait == 600);
    CHECK(log->jobs[0].run == 3000);
    CHECK(log->jobs[0].processors == 16);
    CHECK(log->jobs[1].run == 7200);
    CHECK(log->jobs[1].processors == 32);
  }
}

TEST_CASE("any table: what the values of a series are") {
  struct Series {
    const char* header;
    SeriesOf of;
    bool is_named;
  };
  for (const Series& one : {Series{"time,ZERO_CARBON", SeriesOf::power, true},
                            {"time,Low carbon [%]", SeriesOf::power, true},
                            {"time,Carbon-free energy percentage", SeriesOf::power, true},
                            {"time,CARBON_INTENSITY", SeriesOf::carbon, true},
                            {"time,co2_moer", SeriesOf::carbon, true},
                            {"time,gco2_per_kwh", SeriesOf::carbon, true},
                            {"time,lbs/MWh", SeriesOf::carbon, true},
                            {"time,avg_CI", SeriesOf::carbon, true},
                            {"time,intensity", SeriesOf::carbon, true},
                            {"time,Solar [MW]", SeriesOf::power, true},
                            {"time,power_kw", SeriesOf::power, true},
                            {"time,nodes", SeriesOf::machines, true},
                            {"time,gpus alive", SeriesOf::machines, true},
                            {"point_time,value", SeriesOf::power, false}}) {
    CAPTURE(one.header);
    const auto series = read<CapacitySeries>(std::string(one.header) +
                                             "\n2025-03-01 00:00,10\n2025-03-01 01:00,12\n");
    CHECK(message(series) == "no error");
    if (!series) continue;
    CHECK(series->of == one.of);
    CHECK(series->is_named == one.is_named);
    CHECK(series->points.size() == 2);
    CHECK(series->points[1].value == 12);
  }
}

TEST_CASE("any table: series of other forms") {
  const std::vector<Form> kForms = {
      {"no header", "2025-03-01 00:00,1234.5\n2025-03-01 01:00,8\n"},
      {"decimal commas",
       "Datum von;Datum bis;Wind [MW]\n01.03.2025 00:00;01.03.2025 01:00;1.234,5\n01.03.2025 "
       "01:00;01.03.2025 02:00;8,0\n20.03.2025 01:00;20.03.2025 02:00;-\n"},
      {"ranges",
       "MTU,Wind [MW]\n01.03.2025 00:00 - 01.03.2025 01:00,1234.5\n01.03.2025 01:00 - 01.03.2025 "
       "02:00,8\n"},
      {"Unix seconds", "timestamp,power\n1740787200,1234.5\n1740790800,8\n"},
      {"newest first", "time,power\n2025-03-01 01:00,8\n2025-03-01 00:00,\"1,234.5\"\n"},
      {"JSON",
       R"({"data": [{"from": "2025-03-01T00:00Z", "intensity": {"actual": 1234.5, "index": "low"}},
                            {"from": "2025-03-01T01:00Z", "intensity": {"actual": 8, "index": "low"}}]})"},
  };
  for (const Form& form : kForms) {
    CAPTURE(form.what);
    const auto series = read<CapacitySeries>(form.text, form.as);
    CHECK(message(series) == "no error");
    if (!series) continue;
    REQUIRE(series->points.size() == 2);
    CHECK(series->is_dated);
    CHECK(series->points[0].time == 1740787200);
    CHECK(series->points[0].value == 1234.5);
    CHECK(series->points[1].time == 1740790800);
  }
  const std::string kLong =
      "time,fuel_type,mw\n2025-03-01 00:00,Coal,10\n2025-03-01 00:00,Solar,1\n"
      "2025-03-01 01:00,Coal,12\n2025-03-01 01:00,Solar,2\n";
  CHECK(message(read<CapacitySeries>(kLong)) ==
        "t.csv:5: found several rows at the same time, which seem to differ in 'fuel_type', "
        "expected those of one to be chosen; try where fuel_type=Coal");
  const auto solar = read<CapacitySeries>(kLong, asked({.columns = {},
                                                        .column_unit = {},
                                                        .where = "fuel_type=Solar",
                                                        .dates = {},
                                                        .header = {}}));
  REQUIRE(solar);
  CHECK(solar->points[1].value == 2);
}

TEST_CASE("any table: run times are columns of times") {
  const std::vector<Form> kForms = {
      {"units and other numbers",
       "nodes,time (s),speedup,efficiency\n1,600,1,1\n2,330,1.8,.9\n4,200,3,.75\n"},
      {"units in the cells", "nodes,time\n1,10m\n2,5m30s\n4,200\n"},
      {"clocks", "nodes,elapsed\n1,0:10:00\n2,0:05:30\n4,0:03:20\n"},
      {"header after #", "# nodes time\n1 600\n2 330\n4 200\n"},
      {"decimal commas", "cores;walltime (min)\n1;10,0\n2;5,5\n4;3,3333333333333335\n"},
      {"a number of the repetition", "ranks,run,elapsed_s\n1,1,600\n2,1,330\n4,1,200\n"},
      {"names of AMReX", "N_proc,Run Time [s],SpeedUp\n1,600,1\n2,330,1.8\n4,200,3\n",
       asked({.columns = "processors=N_proc,seconds='Run Time [s]'",
              .column_unit = {},
              .where = {},
              .dates = {},
              .header = {}})},
      {"milliseconds", "MPI ranks,runtime [ms]\n1,600000\n2,330000\n4,200000\n"},
  };
  for (const Form& form : kForms) {
    CAPTURE(form.what);
    const auto runs = read<SpeedupTable>(form.text, form.as);
    CHECK(message(runs) == "no error");
    if (!runs) continue;
    REQUIRE(runs->size() == 1);
    CHECK((*runs)[0].processors == std::vector<std::int64_t>{1, 2, 4});
    CHECK((*runs)[0].seconds[0] == doctest::Approx(600));
    CHECK((*runs)[0].seconds[2] == doctest::Approx(200));
  }
  for (const char* text : {"nodes,speedup\n1,1\n2,1.9\n", "nodes,GFLOPS\n1,10\n2,19\n",
                           "hour,nodes\n0,4\n1,5\n", "hostname,cores,gpus\nn1,64,4\n"}) {
    CAPTURE(text);
    CHECK_FALSE(read<SpeedupTable>(text));
  }
}

TEST_CASE("any table: lifetimes as survival packages write them") {
  const std::vector<Form> kForms = {
      {"lifelines", "duration,observed\n120,1\n300,0\n50,1\n"},
      {"R", "time,status\n120,2\n300,1\n50,2\n"},
      {"words", "T (s);event\n120;True\n300;False\n50;True\n"},
      {"the other way round", "time,censored\n120,0\n300,1\n50,0\n"},
      {"reliability", "time,status\n120,F\n300,S\n50,F\n"},
  };
  for (const Form& form : kForms) {
    CAPTURE(form.what);
    const auto table = read<LifetimeTable>(form.text, form.as);
    CHECK(message(table) == "no error");
    if (!table) continue;
    REQUIRE(table->lifetimes.size() == 3);
    CHECK(table->lifetimes[0].is_exact());
    CHECK(table->lifetimes[0].low == 120);
    CHECK(table->lifetimes[1].is_censored());
    CHECK(table->lifetimes[2].is_exact());
  }
  const auto zero = read<LifetimeTable>("weeks,event\n0,1\n3,1\n6,0\n");
  REQUIRE(zero);
  CHECK(zero->lifetimes[0].low == 0);
  CHECK(zero->lifetimes[0].high > 0);
  CHECK(zero->lifetimes[1].low == 21 * 86400);
}

TEST_CASE("any table: what cannot be known is asked, with an answer to begin from") {
  CHECK(message(opened("Knooppunt,Uitval,Weer op\nn1,2025-03-01 10:00,2025-03-01 11:00\n")) ==
        "t.csv: found 3 columns (Knooppunt, Uitval, Weer op), 2 of dates, 1 row, expected a trace; "
        "nearest is failures-csv: which column is node, which down?; try columns "
        "\"node=Knooppunt,down=Uitval,up='Weer op'\"");
  const auto ambiguous =
      read<FailureLog>("node,down,up\na,01/03/2025,02/03/2025\na,03/04/2025,04/04/2025\n");
  CHECK(message(ambiguous) ==
        "dates: found nothing, expected dmy or mdy: the dates of column 'down' may have the day or "
        "the month first");
  CHECK(message(read<FailureLog>("node,down,up\na,2025-03-01,\nb,03/20/2025,\n")) ==
        "t.csv: found dates of two forms in column 'down', first in lines 2 and 3, expected one "
        "form");
  CHECK(message(opened(
            "a,b\n1,2\n",
            asked({.columns = "node=c", .column_unit = {}, .where = {}, .dates = {}, .header = {}},
                  "failures"))) == "columns: found no column 'c', known: a, b");
  CHECK(
      message(
          opened(
              "a,b\n1,2\n",
              asked(
                  {.columns = "knot=a", .column_unit = {}, .where = {}, .dates = {}, .header = {}},
                  "failures")))
          .starts_with("columns: found no field 'knot' of "));
  CHECK(message(opened("some text\nthat is no table\n")) ==
        "t.csv: found a file of no known kind, beginning with 'some text', expected a trace or a "
        "table");
  CHECK(message(opened("PAR1abc")).find("Parquet") != std::string::npos);
  CHECK(message(opened("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n"))
            .find("git lfs pull") != std::string::npos);
}
