#include "holdfast/traces/failures/lifetimes.hpp"
#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include "support/read_text.hpp"
#include "support/shared_data.hpp"
#include <string>

using namespace holdfast;

namespace {

constexpr const char* kHeader =
    "System,machine type,nodes,procstot,procsinnode,nodenum,nodenumz,node install,node prod,node "
    "decom,fru "
    "type,mem,cputype,memtype,num intercon,purpose,Prob Started,Prob Fixed,Down "
    "Time,Facilities,Hardware,Human Error,Network,Undetermined,Software,Same Event\n";

/// One row in the shape of the log. `cause` is the text between Down Time and Same Event.
std::string row(const std::string& system, const std::string& node, const std::string& started,
                const std::string& fixed, const std::string& minutes,
                const std::string& cause = ",CPU,,,,", const std::string& in_service = "1-Dec",
                const std::string& retired = "current") {
  const std::string nodes = node.empty() ? "" : "4";
  const std::string installed = node.empty() ? "" : "1-Oct";
  return system + ",cluster," + nodes + ",16,4," + node + "," + node + "," + installed + "," +
         (node.empty() ? "" : in_service) + "," + (node.empty() ? "" : retired) +
         ",part,16,1,1,2,compute," + started + "," + fixed + "," + minutes + "," + cause + ",No\n";
}

Result<FailureLog> read_lanl(const std::string& rows, std::optional<std::string> system = {}) {
  return test::read_text<FailureLog>("lanl", kHeader + rows, "log.csv",
                                     {.system = std::move(system), .series = {}});
}

/// The count of the oddity whose text contains these words; 0 where it is not reported.
std::int64_t lanl_count(const Oddities& oddities, std::string_view words) {
  for (const Oddity& oddity : oddities.list()) {
    if (oddity.what.find(words) != std::string::npos) return oddity.count;
  }
  return 0;
}

}  // namespace

TEST_CASE("lanl: every oddity of the real log is reported, on an excerpt of the same shape") {
  struct Case {
    const char* why;
    std::string rows;
    const char* words;
    std::int64_t count;
  };
  const std::string one = row("20", "0", "1/2/2002 10:00", "1/2/2002 11:00", "60");
  const Case cases[] = {
      {"45 minutes are said, 60 passed", row("20", "0", "1/2/2002 10:00", "1/2/2002 11:00", "45"),
       "Down Time is not", 1},
      {"the clock was put back in between: 139 minutes on the clock, 199 in truth",
       row("2", "0", "10/31/2004 0:16", "10/31/2004 2:35", "199"), "exactly 60 minutes", 1},
      {"shorter than the clock's minute",
       one + row("20", "1", "1/3/2002 5:00", "1/3/2002 5:00", "0"), "length 0", 1},
      {"31 days", row("20", "0", "1/1/2002 0:00", "2/1/2002 0:00", "44640"), "longer than 30 days",
       1},
      {"30 days are not longer than 30 days",
       row("20", "0", "1/1/2002 0:00", "1/31/2002 0:00", "43200"), "longer than 30 days", 0},
      {"a second outage of node 0 begins during the first",
       one + row("20", "0", "1/2/2002 10:30", "1/2/2002 12:00", "90"), "overlap", 1},
      {"one that begins as the other ends does not overlap",
       one + row("20", "0", "1/2/2002 11:00", "1/2/2002 12:00", "60"), "overlap", 0},
      {"the same minute on the same node, other ends",
       one + row("20", "0", "1/2/2002 10:00", "1/2/2002 12:00", "120"), "start with another", 1},
      {"the same line twice", one + one, "repeat another row exactly", 1},
      {"another cause is another row",
       one + row("20", "0", "1/2/2002 10:00", "1/2/2002 11:00", "60", ",,,,,OS"),
       "repeat another row exactly", 0},
      {"the second row is earlier", one + row("20", "1", "1/1/2002 9:00", "1/1/2002 9:30", "30"),
       "row above", 1},
      {"other systems have an order of their own",
       one + row("18", "1", "1/1/2002 9:00", "1/1/2002 9:30", "30"), "row above", 0},
      {"two nodes go down in one minute",
       one + row("20", "3", "1/2/2002 10:00", "1/2/2002 10:05", "5"), "same time as another", 2},
      {"in one minute, but of two systems",
       one + row("18", "3", "1/2/2002 10:00", "1/2/2002 10:05", "5"), "same time as another", 0},
      {"none of six causes is filled",
       row("20", "0", "1/2/2002 10:00", "1/2/2002 11:00", "60", ",,,,,"), "without any cause", 1},
      {"two are", row("20", "0", "1/2/2002 10:00", "1/2/2002 11:00", "60", ",CPU,,,,OS"),
       "several causes", 1},
      {"like system 17", row("17", "", "1/8/1997 8:40", "1/8/1997 8:50", "10"),
       "without a node number", 1},
      {"Same Event", one + one, "Same Event says No, which is all of them", 2},
      {"1-Dec is December 2001", one, "spreadsheet", 1},
      {"system 7",
       row("7", "0", "5/19/1995 21:55", "5/19/1995 22:00", "5", ",CPU,,,,", "before tracking"),
       "before tracking", 1},
      {"fixed before it started", one + row("20", "1", "1/3/2002 5:00", "1/3/2002 4:00", "0"),
       "end before they start", 1},
      {"a failure before the node was there",
       row("20", "0", "1/2/2001 10:00", "1/2/2001 11:00", "60"), "before their service", 1},
  };
  for (const Case& c : cases) {
    CAPTURE(c.why);
    const auto log = read_lanl(c.rows);
    REQUIRE(log);
    CHECK(lanl_count(log->oddities, c.words) == c.count);
  }
}

TEST_CASE("lanl: records in order of time, systems with their size, nodes with their service") {
  const auto log = read_lanl(
      row("20", "3", "1/2/2002 10:30", "1/2/2002 11:00", "30") +
      row("20", "0", "1/2/2002 10:00", "1/2/2002 11:00", "60", ",CPU,,,,", "Nov-96", "2-Sep"));
  REQUIRE(log);
  CHECK(log->format == "lanl");
  CHECK(log->rows == 2);
  REQUIRE(log->outages.size() == 2);
  CHECK(log->outages.at(0).down == 1009965600);  // date -u -d '2002-01-02 10:00' +%s
  CHECK(log->outages.at(0).up == 1009969200);
  CHECK(log->nodes[log->outages.at(0).node].name == "0");
  CHECK(log->systems[0].nodes == 4);
  CHECK(log->systems[0].nodes_with_rows == 2);
  CHECK(log->nodes[0].service.start.value() == 1007164800);  // 2001-12-01
  CHECK(log->nodes[1].service.start.value() == 846806400);   // 1996-11-01
  CHECK(log->nodes[1].service.end == 1030838400);            // 2002-09-01
}

TEST_CASE("lanl: what is broken is refused with file, line and column") {
  const std::string good = row("20", "0", "1/2/2002 10:00", "1/2/2002 11:00", "60");
  const auto message = [](const Result<FailureLog>& log) { return log ? "" : log.error().text(); };
  CHECK(message(read_lanl(row("20", "0", "13/2/2002 10:00", "1/2/2002 11:00", "60"))) ==
        "log.csv:2: Prob Started: found '13/2/2002 10:00', expected a date as month/day/year "
        "hour:minute");
  CHECK(message(read_lanl(row("20", "0", "2/29/2002 10:00", "1/2/2002 11:00", "60"))) ==
        "log.csv:2: Prob Started: found '2/29/2002 10:00', expected a date as month/day/year "
        "hour:minute");
  CHECK(message(read_lanl(good + row("20", "0", "1/2/2002 10:00", "", "60"))) ==
        "log.csv:3: Prob Fixed: found '', expected a date as month/day/year hour:minute");
  CHECK(message(read_lanl(row("20", "0", "1/2/2002 10:00", "1/2/2002 11:00", "-5"))) ==
        "log.csv:2: Down Time: found -5, expected a number of 0 or more");
  CHECK(message(read_lanl(row("", "0", "1/2/2002 10:00", "1/2/2002 11:00", "5"))) ==
        "log.csv:2: System: found nothing, expected the number of a system");
  // Each node that no row names becomes a life: the number alone would take all memory.
  std::string crowded = good;
  crowded.replace(crowded.find(",4,"), 3, ",333333333333331,");
  CHECK(message(read_lanl(crowded)) ==
        "found 333333333333331 nodes in all, expected at most 2000000");
  CHECK(message(read_lanl("20,cluster\n")) ==
        "log.csv:2: found 2 fields, expected 26 as in the header");
  CHECK(message(read_lanl("\"20,cluster\n")) ==
        "log.csv:2: found the end of the line inside quotes, expected a closing quote");
  CHECK(message(read_lanl("")) == "found no outage, expected at least one");
  CHECK(message(read_lanl(good, "99")) == "found no system '99', known: 20");
  CHECK(message(test::read_text<FailureLog>("lanl", "System,nodenumz,Prob Started\n", "x.csv")) ==
        "x.csv: found System, nodenumz, Prob Started without nodes, node install, node prod, node "
        "decom, Prob Fixed, Down Time, Facilities, Hardware, Human Error, Network, Undetermined, "
        "Software, Same Event, expected a table with these columns");
}

TEST_CASE("lanl: the published log, with every count of its description") {
  const auto path = test::shared_data("failures/lanl-1996-2005.csv.gz");
  if (!path) return;
  const auto log = read_failure_log(*path);
  REQUIRE(log);
  CHECK(log->format == "lanl");
  CHECK(log->rows == 18858);
  CHECK(log->systems.size() == 18);
  const std::pair<const char*, std::int64_t> counts[] = {
      {"Down Time is not", 316},
      {"exactly 60 minutes", 19},
      {"length 0", 91},
      {"longer than 30 days", 21},
      {"overlap", 79},
      {"start with another", 27},
      {"repeat another", 21},
      {"row above", 1846},
      {"same time as another", 2694},
      {"without any cause", 445},
      {"without a node number", 126},
      {"Same Event says No", 18858},
      {"before tracking", 530},
  };
  for (const auto& [words, count] : counts) {
    CAPTURE(words);
    CHECK(lanl_count(log->oddities, words) == count);
  }
  std::int64_t single_machines = 0;
  for (const LoggedSystem& system : log->systems) {
    if (system.nodes == 1) ++single_machines;
    if (system.name == "18") CHECK(system.nodes == 1024);
    if (system.name == "20") CHECK(system.nodes == 512);
    if (system.name == "16") CHECK(system.nodes == 16);
    if (system.name == "2") CHECK(system.nodes == 49);
    if (system.name == "17") CHECK(system.nodes == 0);
  }
  CHECK(single_machines == 4);
}

TEST_CASE("lanl: system 20 of the published log as lifetimes") {
  const auto path = test::shared_data("failures/lanl-1996-2005.csv.gz");
  if (!path) return;
  const auto log = read_failure_log(*path, "20");
  REQUIRE(log);
  CHECK(log->rows == 2478);
  const auto lives = lifetimes_of(*log);
  REQUIRE(lives);
  CHECK(lives->units == 512);
  std::int64_t in_ages = 0;
  for (const LoggedAge& group : lives->ages) in_ages += group.count;
  CHECK(in_ages == 512);
  REQUIRE(lives->never_failed < lives->ages.size());
  CHECK(lives->ages[lives->never_failed].count == 112);
  std::int64_t exact = 0;
  std::int64_t censored = 0;
  for (const Lifetime& life : lives->lifetimes) (life.is_censored() ? censored : exact) += 1;
  CHECK(censored == 512);
  CHECK(exact == lives->failures);
  CHECK(exact == 2478 - 14);  // 14 rows overlap an outage of their node and are joined to it

  // Merging: failures of other nodes within the window of the one before are the same event.
  for (const auto& [window, events] :
       {std::pair(0.0, 2393), std::pair(60.0, 2378), std::pair(600.0, 2265)}) {
    CAPTURE(window);
    CHECK(lifetimes_of(*log, {.merge = window})->failures == events);
  }
}
