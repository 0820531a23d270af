#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/domain.hpp"
#include "holdfast/domains/machine/instance_io.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

using namespace holdfast;
using namespace holdfast::machine;

namespace {

constexpr std::string_view kSample =
    "src/holdfast/traces/samples/failures-csv.csv";  // of four nodes

Result<Instance> read_machine(int nodes, std::string_view failures) {
  return read_instance(
      parse_json(fmt::format(R"({{"nodes": {}, "bandwidth": 10, "node_bandwidth": 4, "downtime": 60,
      "horizon": 90000, "failures": {{{}}}, "jobs": [{{"nodes": 2, "checkpoint": 900}},
      {{"nodes": 1, "checkpoint": 500, "work": 20000, "output": 100}}]}})",
                             nodes, failures))
          .value(),
      ".");
}

std::string log_and(std::string_view more) {
  return fmt::format(R"("log": "{}"{})", kSample, more);
}

}  // namespace

TEST_CASE("machine: a failure log gives the law of a node and the ages of all") {
  const Instance same = read_machine(4, log_and(R"(, "distribution": "exponential")")).value();
  CHECK(same.law->mean() == doctest::Approx(86400));
  CHECK(*same.observed_mtbf == doctest::Approx(86400));
  CHECK(same.node_mtbf() == *same.observed_mtbf);
  CHECK(same.ages == std::vector<AgeGroup>{{6400, 1}, {46400, 1}, {79200, 1}, {86400, 1}});
  CHECK(same.notes.size() == 1);  // what was odd about the log
  const Instance wider = read_machine(8, log_and(R"(, "distribution": "exponential")")).value();
  CHECK(wider.ages == std::vector<AgeGroup>{{6400, 2}, {46400, 2}, {79200, 2}, {86400, 2}});
  CHECK(wider.notes.back() == "the ages of the 4 nodes of the log are spread over 8");
  // What is stored is the law and the ages, not the file; it is the same machine again.
  const Value stored = to_value(wider);
  CHECK(stored.at("/failures/log") == nullptr);
  const Instance again = read_instance(stored, ".").value();
  CHECK(again.ages == wider.ages);
  CHECK(again.law->mean() == wider.law->mean());
}

TEST_CASE("machine: a replayed log runs, and its schedule passes the check") {
  const auto specs = parse_strategies("most-overdue,fcfs,node-share", domain().strategies).value();
  const Instance instance = read_machine(4, log_and(R"(, "replay": true)")).value();
  REQUIRE(instance.events);
  CHECK(instance.events->size() == 4);
  CHECK_FALSE(instance.law);
  const auto point = domain().open(to_value(instance), specs, ".").value();
  CHECK(point->is_fixed());
  Workspace workspace;
  for (std::size_t strategy = 0; strategy < specs.size(); ++strategy) {
    const Outcome outcome = point->run({}, strategy, workspace, true).value();
    const Status status = point->check({}, strategy, outcome).value();
    if (!status) FAIL_CHECK(status.error().text());
  }
}

TEST_CASE("machine: ages are those of all nodes, and a machine of many nodes is not one unit") {
  const auto refused = [](int nodes, std::string_view failures) {
    const auto instance = read_machine(nodes, failures);
    return instance ? "no error" : instance.error().text();
  };
  CHECK(refused(4, R"("mtbf": 1000, "ages": [[10, 3]])") ==
        "/failures/ages: found the ages of 3 nodes, expected those of all 4");
  CHECK(refused(4, R"("mtbf": 1000, "ages": [[10, 3], [20, 2]])") ==
        "/failures/ages/1/1: found 2, expected a number from 1 to the 1 node that the machine has "
        "left");
  CHECK(refused(4, R"("mtbf": 1000, "ages": [[-1, 4]])") ==
        "/failures/ages/0/0: found -1, expected an age of at least 0");
  CHECK(
      refused(4, log_and(R"(, "unit": "system")")) ==
      "/failures/unit: found system, expected node: the machine has 4 nodes that fail one by one");
}
