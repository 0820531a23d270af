#include "holdfast/domains/checkpoint/spare_platform.hpp"

#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/spare_count.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

constexpr double kOneHour = 3600;
constexpr double kOneDay = 86400;

// The efficiency with infinitely many spares, which bounds that of any number: the optimal period, in the long run.
double unlimited_efficiency(const Instance& instance) {
  SpareRow row;
  add_worth(spare_nodes(instance, instance.platform, 0), spare_costs(instance), row);
  return row.bound;
}

Result<Instance> read_with(const std::string& members) {
  const auto document = parse_json(
      R"({"work": 100, "processors": 4, "checkpoint": 10, "failures": {"mtbf": 1000}, )" + members +
      "}");
  REQUIRE(document);
  return read_instance(*document, ".");
}

std::string refusal(const std::string& members) {
  const auto instance = read_with(members);
  return instance ? std::string("(accepted)") : instance.error().text();
}

// A job on 360 nodes of a public log.
Instance of_log(std::optional<std::int64_t> repairers = {}) {
  Instance instance;
  instance.processors = 360;
  instance.checkpoint = 60;
  instance.recovery = 900;
  instance.law = exponential_law(241 * kOneDay);
  instance.platform.repair = RepairLaw::of(exponential_law(6.096 * kOneDay));
  instance.platform.repairers = repairers;
  return instance;
}

}  // namespace

TEST_CASE("spare platform: what is refused, and how it is said") {
  struct Row {
    std::string members;
    std::string message;
  };
  const std::string plain = R"("spares": 2, "repair": 10, )";
  for (const Row& row : {
           Row{R"("spares": -1)", "/spares: found -1, expected a whole number of at least 0"},
           Row{R"("spares": 1.5)", "/spares: found 1.5, expected a whole number of at least 0"},
           Row{R"("spares": 2)",
               "/repair: is missing: how long the repair of a node takes, which decides how many "
               "spares are needed"},
           Row{R"("spares": 20000000, "repair": 1)",
               "/spares: found 20000000 beside 4 processors, expected at most 10000000 nodes "
               "together"},
           Row{R"("spares": 2, "repair": -1)",
               "/repair: found -1, expected a duration of at least 0"},
           Row{R"("spares": 2, "repair": {"mtbf": 3})",
               "/repair/mtbf: is not a field of it, expected 'mean'"},
           Row{R"("spares": 2, "repair": {})", "/repair/mean: is missing: the mean length"},
           Row{R"("spares": 2, "repair": {"mean": -2})",
               "/repair/mean: found -2, expected a duration of at least 0"},
           Row{R"("spares": 2, "repair": {"mean": 2, "shape": 2})", "/repair/shape: unknown field"},
           Row{R"("spares": 2, "repair": {"distribution": "constant"})",
               "/repair/mean: is missing"},
           Row{R"("spares": 2, "repair": {"distribution": "recorded", "lengths": []})",
               "/repair/lengths: found no length, expected at least one"},
           Row{plain + R"("repairers": 0)",
               "/repairers: found 0, expected a whole number of at least 1"},
           Row{plain + R"("repair_failure": 1)",
               "/repair_failure: found 1, expected less: no node would ever come back"},
           Row{plain + R"("repair_failure": 1.5)",
               "/repair_failure: found 1.5, expected a number from 0 to 1"},
           Row{plain + R"("failed_repair": "returns")",
               "/relapse: is missing: with 'returns' it is the law of the life after a repair that "
               "did not help"},
           Row{plain + R"("relapse": 5)",
               "/relapse: found without failed_repair 'returns', expected with it: other nodes "
               "have the law of 'failures'"},
           Row{plain + R"("idle_ageing": 2)",
               "/idle_ageing: found 2, expected a number from 0 to 1"},
           Row{plain + R"("spare_delay": -1)",
               "/spare_delay: found -1, expected a duration of at least 0"},
           Row{plain + R"("replacement": "new")",
               "/replacement: found new with a number of spares, expected oldest, last-repaired, "
               "random or same: new nodes come from outside, without end"},
           Row{R"("replacement": "oldest")",
               "/replacement: found oldest without a number of spares, expected new or same: there "
               "are no nodes to choose from"},
           Row{plain + R"("rejuvenation": "all")",
               "/rejuvenation: found all with a number of spares, expected failed: a spare steps "
               "in for one node"},
           Row{plain + R"("repair_failure": 1, "failed_repair": "returns", "relapse": "1h")",
               "(accepted)"},
       }) {
    CAPTURE(row.members);
    const std::string found = refusal(row.members);
    CHECK(found.substr(0, row.message.size()) == row.message);
  }
}

TEST_CASE("spare platform: it reads back what it writes, and writes nothing by default") {
  const auto usual = read_with(R"("downtime": 0)");
  REQUIRE(usual);
  for (const std::string_view field : {"spares", "repair", "replacement", "relapse", "repairers"})
    CHECK(to_value(*usual).find(field) == nullptr);
  for (
      const char* members :
      {R"("spares": 0, "repair": "2d")",
       R"("spares": 3, "repair": {"distribution": "constant", "mean": 7}, "repairers": 2)",
       R"("spares": 3, "repair": {"distribution": "weibull", "shape": 2, "mean": 7}, "replacement": "random")",
       R"("replacement": "same", "repair": {"distribution": "recorded", "lengths": [3, 1, 2]})",
       R"("spares": 1, "repair": 3, "repair_failure": 0.4, "failed_repair": "returns",
           "relapse": {"mean": 9}, "idle_ageing": 0.5, "spare_delay": 4, "node_price": 2.5)"}) {
    CAPTURE(members);
    const auto once = read_with(members);
    REQUIRE(once);
    const Value document = to_value(*once);
    const auto again = read_instance(document, ".");
    REQUIRE(again);
    CHECK(to_value(*again) == document);
    CHECK(again->platform.has_pool());
  }
}

TEST_CASE("repair law: lengths follow their law, in order of the uniform number") {
  const double lengths[] = {30, 10, 20, 20};
  const RepairLaw recorded = RepairLaw::recorded(lengths);
  CHECK(recorded.mean() == 20);
  CHECK(recorded.length(0.1) == 10);
  CHECK(recorded.length(0.3) == 20);
  CHECK(recorded.length(0.99) == 30);
  CHECK(recorded.times(0.5).length(0.99) == 15);
  const RepairLaw constant = RepairLaw::constant(5);
  CHECK(constant.length(0.7) == 5);
  CHECK(constant.times(3).length(0.7) == 15);
  const RepairLaw exponential = RepairLaw::of(exponential_law(8));
  CHECK(exponential.is_exponential());
  CHECK(std::fabs(exponential.length(0.5) - 8 * std::sqrt(0.480453013918201)) < 1e-9);  // 8 ln 2
  CHECK(exponential.times(2).mean() == 16);
  CHECK(RepairLaw().length(0.5) == 0);
}

TEST_CASE("spare count: the nodes of a public log, with failed repairs and few repairers") {
  const auto needed = [](const Instance& instance, double target, double factor = 1) {
    const SpareTable table = closed_forms(instance, factor, instance.platform.repair_failure);
    const double bound = unlimited_efficiency(instance);
    return smallest([&](std::int64_t s) { return table(s).efficiency >= target * bound; }, 1000)
        .value_or(-1);
  };
  CHECK(needed(of_log(), .9) == 13);
  CHECK(needed(of_log(), .99) == 17);
  CHECK(needed(of_log(), .999) == 20);
  CHECK(needed(of_log(), .99, 0.5) == 10);
  CHECK(needed(of_log(12), .99) == 25);
  CHECK(needed(of_log(10), .99) == -1);
  // Half of the repairs twice is repairs twice as long; a test that finds all of them is none that fail.
  Instance failing = of_log();
  failing.platform.repair_failure = 0.5;
  Instance slow = of_log();
  slow.platform.repair = slow.platform.repair->times(2);
  CHECK(needed(failing, .99) == needed(slow, .99));
  // With returns, f of the lives are short.
  failing.platform.failed_repair = FailedRepair::returns;
  failing.platform.relapse = exponential_law(kOneDay);
  CHECK(std::fabs(spare_nodes(failing, failing.platform, 0).life - 121 * kOneDay) < 1e-6);
  CHECK(spare_nodes(failing, failing.platform, 0).repair == 6.096 * kOneDay);
  // A job that waits for its own node uses no spare.
  Instance same = of_log();
  same.platform.replacement = Replacement::same;
  CHECK(closed_forms(same, 1, 0)(50).full == closed_forms(of_log(), 1, 0)(0).full);
  CHECK(smallest([](std::int64_t s) { return s >= 37; }, 100) == 37);
  CHECK(smallest([](std::int64_t s) { return s >= 0; }, 100) == 0);
  CHECK_FALSE(smallest([](std::int64_t) { return false; }, 100));
}

TEST_CASE("spare count: the model of AIReSim, and what it leaves out") {
  // arXiv 2603.07041: nodes fail only while the job computes; 15 % of them fail six times as often until a repair helps.
  const auto run = [](double useless) {
    const double length = 256 * kOneDay;
    const double failures = 4096 * .01 / kOneDay * length + .15 * 4160 / (1 - useless) * 5 / 6;
    const double all = length + failures * 20 * 60;
    return std::array{failures, all / kOneHour, length / all, length / failures / 60};
  };
  const auto paper = run(.24);
  CHECK(std::fabs(paper[0] - 11170.0) < .05);
  CHECK(std::fabs(paper[1] - 9867.4) < .1);
  CHECK(std::fabs(paper[2] - .6227) < 5e-5);
  CHECK(std::fabs(paper[3] - 33.00) < .01);
  const auto withdrawn = run(.144);
  CHECK(std::fabs(withdrawn[0] - 11093.2) < .1);
  CHECK(std::fabs(withdrawn[1] - 9841.8) < .1);
  // With lost work and failures in the recovery, for checkpoints of 0, 10 and 60 s.
  Instance job;
  job.recovery = 20 * 60;
  job.platform.repair = RepairLaw::constant(1);
  const double checkpoints[] = {1e-6, 10, 60};
  const double efficiencies[][3] = {{.5455, .4925, .4220}, {.5478, .4948, .4242}};
  const double mtbf[] = {paper[3] * 60, withdrawn[3] * 60};
  for (std::size_t rule = 0; rule < 2; ++rule) {
    job.law = exponential_law(mtbf[rule]);
    for (std::size_t i = 0; i < 3; ++i) {
      job.checkpoint = checkpoints[i];
      CHECK(std::fabs(unlimited_efficiency(job) - efficiencies[rule][i]) < 1e-4);
    }
  }
}
