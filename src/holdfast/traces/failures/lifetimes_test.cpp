#include "holdfast/traces/failures/lifetimes.hpp"

#include "holdfast/traces/failures/plain_failures.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace holdfast;
using Since = LifetimeQuery::Since;

namespace {

FailureLog log_of(const std::string& text) {
  auto log = read_plain_failures(LineReader{open_text(text), "log.csv"});
  REQUIRE(log);
  return *log;
}

std::int64_t number_of(const Oddities& oddities, std::string_view words) {
  for (const Oddity& oddity : oddities.list()) {
    if (oddity.what.find(words) != std::string::npos) return oddity.count;
  }
  return 0;
}

std::vector<std::pair<double, std::int64_t>> ages_of(const LoggedLifetimes& lives) {
  std::vector<std::pair<double, std::int64_t>> out;
  for (const LoggedAge& group : lives.ages) out.emplace_back(group.age, group.count);
  return out;
}

// Three nodes, new at 0, watched until 1000; the third never fails.
constexpr const char* kThree =
    "# observed: 0 to 1000\n# nodes: 3\n# in service: 0\n"
    "node,down,up\n"
    "a,100,150\n"
    "b,200,210\n"
    "a,400,460\n";

}  // namespace

TEST_CASE("lifetimes_of: from failure to failure, the last life of each node censored at the end") {
  const auto lives = lifetimes_of(log_of(kThree));
  REQUIRE(lives);
  CHECK(lives->lifetimes == std::vector{Lifetime::exact(100), Lifetime::exact(300),
                                        Lifetime::censored(600), Lifetime::exact(200),
                                        Lifetime::censored(800), Lifetime::censored(1000)});
  CHECK(lives->first_of_unit == std::vector<std::size_t>{0, 3, 5, 6});
  CHECK(lives->units == 3);
  CHECK(lives->failures == 3);
  CHECK(ages_of(*lives) ==
        std::vector<std::pair<double, std::int64_t>>{{600, 1}, {800, 1}, {1000, 1}});
  CHECK(lives->never_failed == 2);
  CHECK(number_of(lives->oddities, "nodes without any row") == 1);
}

TEST_CASE("ages_of_nodes: each node by its name, at any date") {
  const FailureLog log = log_of(kThree);
  const std::vector<std::string> names = {"b.cluster", "a", "c"};
  const auto ages = [&](double at, const LifetimeQuery& query = {}) {
    std::vector<double> out;
    for (const NodeAge& node : ages_of_nodes(log, query, names, at)) out.push_back(node.age);
    return out;
  };
  CHECK(ages(1000) == std::vector<double>{800, 600, 1000});
  // They live on after the log, and what comes later in it has not happened yet.
  CHECK(ages(5000) == std::vector<double>{4800, 4600, 5000});
  CHECK(ages(300) == std::vector<double>{100, 200, 300});
  CHECK(ages(150) == std::vector<double>{150, 50, 150});
  CHECK(ages(-10) == std::vector<double>{0, 0, 0});
  // From the repair; while it is down a node has no age.
  CHECK(ages(1000, {.since = Since::repair}) == std::vector<double>{790, 540, 1000});
  CHECK(ages(420, {.since = Since::repair}) == std::vector<double>{210, 0, 420});
  // One event, of the node that failed first.
  CHECK(ages(1000, {.merge = 150}) == std::vector<double>{1000, 600, 1000});
  CHECK(ages(1000, {.to = Instant{.seconds = 300}}) == std::vector<double>{800, 900, 1000});
  const auto said = ages_of_nodes(log, {}, names, 1000);
  CHECK(said[1].since == NodeAge::Since::renewal);
  CHECK(said[2].since == NodeAge::Since::unnamed);
  CHECK(ages_of_nodes(log, {}, names, 150)[0].since == NodeAge::Since::service);
}

TEST_CASE("ages_of_nodes: where nothing says since when nodes are in service, the log does") {
  const FailureLog log = log_of("node,down,up\na,100,150\nb,200,210\nb,300,310\n");
  const auto ages = ages_of_nodes(log, {}, std::vector<std::string>{"b", "a", "x"}, 150);
  CHECK(ages[0].age == 50);
  CHECK(ages[0].since == NodeAge::Since::log);
  CHECK(ages[1].age == 50);
  CHECK(ages[1].since == NodeAge::Since::renewal);
  CHECK(ages[2].age == 50);
  CHECK(ages[2].since == NodeAge::Since::unnamed);
}

TEST_CASE("ages_of_nodes: together they are the ages that lifetimes_of gives") {
  const FailureLog log = log_of(kThree);
  for (const Since since : {Since::failure, Since::repair}) {
    const auto lives = lifetimes_of(log, {.since = since});
    REQUIRE(lives);
    std::vector<double> found;
    const std::vector<std::string> names = {"a", "b", "c"};
    for (const NodeAge& node : ages_of_nodes(log, {.since = since}, names, log.to)) {
      found.push_back(node.age);
    }
    std::ranges::sort(found);
    std::vector<double> expected;
    for (const LoggedAge& group : lives->ages) expected.push_back(group.age);
    CHECK(found == expected);
  }
}

TEST_CASE("lifetimes_of: from repair to failure, with the time in operation") {
  const auto lives = lifetimes_of(log_of(kThree), {.since = Since::repair});
  REQUIRE(lives);
  CHECK(lives->lifetimes == std::vector{Lifetime::exact(100), Lifetime::exact(250),
                                        Lifetime::censored(540), Lifetime::exact(200),
                                        Lifetime::censored(790), Lifetime::censored(1000)});
}

TEST_CASE("lifetimes_of: the machine as one unit") {
  const auto lives = lifetimes_of(log_of(kThree), {.unit = FailureUnit::system});
  REQUIRE(lives);
  CHECK(lives->lifetimes == std::vector{Lifetime::exact(100), Lifetime::exact(100),
                                        Lifetime::exact(200), Lifetime::censored(600)});
  CHECK(lives->units == 1);
  const auto refused =
      lifetimes_of(log_of(kThree), {.since = Since::repair, .unit = FailureUnit::system});
  REQUIRE(!refused);
  CHECK(refused.error().where == "since");
}

TEST_CASE("lifetimes_of: a later start of the observation truncates the lives that are going on") {
  const auto lives = lifetimes_of(log_of(kThree), {.from = Instant{150}, .to = Instant{900}});
  REQUIRE(lives);
  CHECK(lives->lifetimes == std::vector{Lifetime::exact(300, 50), Lifetime::censored(500),
                                        Lifetime::exact(200, 150), Lifetime::censored(700),
                                        Lifetime::censored(900, 150)});
  CHECK(lives->failures == 2);
  CHECK(lifetimes_of(log_of(kThree), {.from = Instant{900}, .to = Instant{900}}).error().text() ==
        "from: found 900, expected less than 900, where the observation ends");
  CHECK(lifetimes_of(log_of(kThree), {.from = {}, .to = Instant{1001}}).error().text() ==
        "to: found 1001, expected at most 1000, where the log ends");
}

TEST_CASE("lifetimes_of: a year is no date, and a date is no number") {
  const auto dated = log_of("# in service: 2024-01-01\nnode,down,up\na,2024-03-01,2024-03-02\n");
  CHECK(lifetimes_of(dated, {.from = Instant{2003}}).error().text() ==
        "from: found 2003, expected a date, as in the log");
  CHECK(lifetimes_of(log_of(kThree), {.to = *parse_instant("2024-03-01")}).error().text() ==
        "to: found a date, expected seconds as in the log");
}

TEST_CASE("lifetimes_of: a life of unknown start counts in the rate alone") {
  const auto lives = lifetimes_of(log_of("node,down,up\na,100,150\nb,200,210\na,400,460\n"));
  REQUIRE(lives);
  CHECK(lives->lifetimes ==
        std::vector{Lifetime::exact(300), Lifetime::censored(60), Lifetime::censored(260)});
  CHECK(number_of(lives->oddities, "unknown start") == 2);
  // The log begins with the first failure of a; b was watched for 100 s before its own.
  CHECK(lives->ageless == std::vector{Lifetime::exact(100)});
  // Half of the nodes are never heard of: watched from one end of the log to the other.
  const auto silent = lifetimes_of(log_of("# nodes: 3\nnode,down,up\na,100,150\nb,200,210\n"));
  CHECK(silent->ageless == std::vector{Lifetime::exact(100), Lifetime::censored(110)});
  CHECK(lives->failures == 3);
  // Where no node is up again, the lives before the first failures still show the rate.
  const auto down =
      lifetimes_of(log_of("node,down,up\na,300,\nb,400,400\n"), {.since = Since::repair});
  REQUIRE(down);
  CHECK(down->lifetimes.empty());
  CHECK(down->ageless == std::vector{Lifetime::exact(100)});
}

TEST_CASE("lifetimes_of: a log of one instant is reported as such, not as a wrong option") {
  const auto refused = lifetimes_of(log_of("node,down,up\na,400,400\nb,400,400\n"));
  REQUIRE(!refused);
  CHECK(refused.error().text() ==
        "found a log of one instant, 400, expected failures at different times");
}

TEST_CASE(
    "lifetimes_of: overlapping outages of a node are one; merging is along chains of one system") {
  const char* text =
      "# observed: 0 to 1000\n# in service: 0\n"
      "node,down,up\n"
      "a,100,150\n"
      "a,120,180\n"  // during the first
      "a,180,190\n"  // at its end: a failure of its own
      "b,185,186\n"  // 5 after it
      "c,194,195\n"  // 9 after that: the chain goes on
      "b,300,301\n";
  const auto apart = lifetimes_of(log_of(text));
  REQUIRE(apart);
  CHECK(apart->failures == 5);
  CHECK(number_of(apart->oddities, "overlapping") == 1);
  const auto merged = lifetimes_of(log_of(text), {.merge = 10});
  REQUIRE(merged);
  CHECK(merged->lifetimes == std::vector{Lifetime::exact(100), Lifetime::exact(80),
                                         Lifetime::censored(820), Lifetime::exact(300),
                                         Lifetime::censored(700), Lifetime::censored(1000)});
  CHECK(number_of(merged->oddities, "10 s or less after another") == 2);
}

TEST_CASE("lifetimes_of: two dates of one minute are a life of under a minute") {
  const auto lives = lifetimes_of(
      log_of("# in service: 2024-01-01\nnode,down,up\na,2024-01-01T10:00,2024-01-01T11:00\n"
             "a,2024-01-01T11:00,2024-01-01T12:00\n"),
      {.since = Since::repair});
  REQUIRE(lives);
  CHECK(lives->lifetimes == std::vector{Lifetime::exact(36000), Lifetime::between(0, 60)});
}

TEST_CASE("lifetimes_of: a node that is still down has no further life") {
  const auto lives =
      lifetimes_of(log_of("# observed: 0 to 1000\n# in service: 0\nnode,down,up\na,100,\n"),
                   {.since = Since::repair});
  REQUIRE(lives);
  CHECK(lives->lifetimes == std::vector{Lifetime::exact(100)});
  CHECK(ages_of(*lives) == std::vector<std::pair<double, std::int64_t>>{{0, 1}});
}

TEST_CASE("lifetimes_of: lives of a node since failure tile its time, whatever the rows") {
  CHECK(rc::check([](const std::vector<std::pair<std::uint8_t, std::uint8_t>>& outages) {
    std::string text = "# observed: 0 to 1000\n# in service: 0\n# nodes: 2\nnode,down,up\nn,1,2\n";
    for (const auto& [down, length] : outages) {
      text += "n," + std::to_string(down) + "," + std::to_string(down + length) + "\n";
    }
    const auto lives = lifetimes_of(log_of(text));
    RC_ASSERT(lives.has_value());
    double total = 0;
    for (const Lifetime& life : lives->lifetimes) total += life.low;
    RC_ASSERT(total == 2000);  // two nodes, the silent one included
  }));
}
