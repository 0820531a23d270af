#include "holdfast/domains/checkpoint/spare_log.hpp"

#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

constexpr double kDaySeconds = 86400;

// Four nodes in 100 s: one down in [10, 30), two in [20, 30), one in [90, 100).
RecordedOutages small_log() {
  return {.nodes = 4,
          .length = 100,
          .outages = {{.date = 10, .processor = 2, .repair = 20},
                      {.date = 20, .processor = 0, .repair = 10},
                      {.date = 90, .processor = 2, .repair = 10}}};
}

std::filesystem::path public_log() {
  const char* data = std::getenv("HOLDFAST_DATA");
  return std::filesystem::path(data == nullptr ? "../shared/data" : data) /
         "training/infinitehbd-400-nodes.csv";
}

Instance replayed(std::int64_t nodes, const std::string& rule) {
  const auto document = parse_json(fmt::format(
      R"({{"checkpoint": 1, "recovery": 0, "processors": {}, "replacement": "{}",
          "failures": {{"log": "{}", "replay": true, "distribution": "exponential"}}}})",
      nodes, rule, public_log().string()));
  REQUIRE(document);
  auto instance = read_instance(*document, ".");
  if (!instance) FAIL(instance.error().text());
  return std::move(*instance);
}

struct Sums {
  double failures = 0;
  double strikes = 0;
  double lacking = 0;  // days
};

Sums means_of(const Instance& instance) {
  const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
  Sums out;
  constexpr int kDraws = 20;
  for (std::uint64_t scenario = 0; scenario < kDraws; ++scenario) {
    const auto drawn = Realisation::make(instance, law, {.scenario = scenario});
    NodePool& pool = *drawn->pool();
    const PoolChange sum = pool.account(instance.work);
    out.failures += static_cast<double>(sum.failures) / kDraws;
    out.strikes += static_cast<double>(sum.strikes) / kDraws;
    for (std::size_t i = 0; pool.reach(i) && pool.change(i).date < instance.work; ++i) {
      const double end =
          pool.reach(i + 1) ? std::min(instance.work, pool.change(i + 1).date) : instance.work;
      if (pool.change(i).in_use < instance.processors)
        out.lacking += (end - pool.change(i).date) / kDaySeconds / kDraws;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("logged spares: time with k nodes down, and quantiles of it, by hand") {
  const RecordedOutages log = small_log();
  CHECK(time_with_down(log, 0, 100) == std::vector<double>{70, 20, 10});
  CHECK(time_with_down(log, 15, 25) == std::vector<double>{0, 5, 5});
  CHECK(down_quantile(time_with_down(log, 0, 100), 0.7) == 0);
  CHECK(down_quantile(time_with_down(log, 0, 100), 0.71) == 1);
  CHECK(down_quantile(time_with_down(log, 0, 100), 1) == 2);
  const LoggedSpares all(log, 0);
  CHECK(std::fabs(all.shares(0).full - .7) < 1e-12);
  CHECK(std::fabs(all.shares(1).full - .9) < 1e-12);
  CHECK(std::fabs(all.shares(1).idle - .7) < 1e-12);
  CHECK(all.needed(.8) == 1);
  // Two of the four nodes, and one spare: with two down, one is among the three with chance 1/2, else two.
  const LoggedSpares two(log, 2);
  CHECK(two.most() == 2);
  CHECK(std::fabs(two.shares(1).full - (.7 + .2 + .1 * .5)) < 1e-12);
  CHECK(std::fabs(two.shares(0).full - (.7 + .2 * .5 + .1 / 6)) < 1e-12);
  CHECK(two.shares(2).full == all.shares(2).full);
  const auto interval = all.interval(.8, 1);
  CHECK(interval.low <= 1);
  CHECK(interval.high >= 1);
  CHECK_FALSE(come_together({.nodes = 100, .length = 10, .outages = {{.date = 1, .repair = 5}}}));
}

TEST_CASE("replay: a document keeps the outages that it was read with") {
  const std::string text =
      R"({"checkpoint": 1, "processors": 3, "failures": {"mtbf": 50, "recorded":
      {"nodes": 4, "length": 100, "outages": [[10, 2, 20], [20, 0, 10], [90, 2, 10]]}}})";
  const auto document = parse_json(text);
  REQUIRE(document);
  const auto instance = read_instance(*document, ".");
  if (!instance) FAIL(instance.error().text());
  CHECK(instance->platform.spares == 1);
  CHECK(instance->is_window);
  const auto again = read_instance(to_value(*instance), ".");
  if (!again) FAIL(again.error().text());
  CHECK(to_value(*again) == to_value(*instance));
  const auto refusal = [&](const std::string& member) {
    std::string changed = text;
    changed.insert(1, member + ", ");
    const auto read = read_instance(parse_json(changed).value(), ".");
    return read ? std::string("(accepted)") : read.error().text();
  };
  CHECK(refusal(R"("spares": 2)") ==
        "/spares: found 2 beside 3 processors, expected at most 1: the log that is replayed has 4 "
        "nodes");
  CHECK(refusal(R"("repairers": 2)") ==
        "/repairers: found with a log that is replayed, expected without: its outages end when "
        "they ended");
  CHECK(refusal(R"("repair": 2)").starts_with("/repair: found with 'events' or a log"));
}

TEST_CASE("replay: a repair that did not help joins two outages of one node, and of no other") {
  const auto file = std::filesystem::temp_directory_path() / "holdfast-relapse-log.csv";
  std::ofstream(file) << "# observed: 0 to 1000\n# nodes: 3\nnode,down,up\na,100,200\nb,205,210\n"
                         "a,210,300\na,600,610\n";
  const auto outages = [&](const std::string& more) {
    const auto instance = read_instance(
        parse_json(fmt::format(
                       R"({{"checkpoint": 1, "failures": {{"log": "{}", "replay": true,
                           "distribution": "exponential"{}}}}})",
                       file.string(), more))
            .value(),
        ".");
    if (!instance) FAIL(instance.error().text());
    std::string out;
    for (const auto& [date, node, repair] : instance->recorded->outages)
      out += fmt::format("{}:{}+{} ", node, date, repair);
    return out;
  };
  CHECK(outages("") == "0:100+100 1:205+5 0:210+90 0:600+10 ");
  CHECK(outages(R"(, "relapse_within": 20)") == "0:100+200 1:205+5 0:600+10 ");
  std::filesystem::remove(file);
}

TEST_CASE("replay: the failures of a public log, by the node that steps in") {
  if (!std::filesystem::exists(public_log())) {
    MESSAGE("skipped: no " << public_log().string() << " (HOLDFAST_DATA)");
    return;
  }
  struct Row {
    std::int64_t nodes;
    const char* rule;
    double failures;
    double strikes;
    double lacking;
    double error;  // of a mean of 20 draws
  };
  // Which of several nodes that came back at one date steps in changes some rows by up to four: here the first by name.
  for (const Row& row :
       {Row{360, "oldest", 325.9, 301.1, 0, .2}, Row{360, "random", 348.4, 322.8, 0, 1.4},
        Row{360, "last-repaired", 408.6, 381.1, 0, .7}, Row{360, "same", 508.5, 468.6, -1, 2.3},
        Row{368, "oldest", 360.8, 333.9, .72, .2}, Row{368, "random", 377.6, 350.6, .72, 1.4},
        Row{368, "last-repaired", 424.0, 395.2, .72, .7}, Row{368, "same", 519.8, 479.9, -1, 2.3},
        Row{380, "oldest", 442.4, 407.6, 48.08, .2}, Row{380, "random", 450.6, 414.9, 48.08, 1.4},
        Row{380, "last-repaired", 472.8, 436.9, 48.08, .7}, Row{380, "same", 536.8, 496.0, -1, 2.3},
        Row{392, "oldest", 511.9, 471.9, 151.44, .2}, Row{392, "random", 512.6, 472.6, 151.44, 1.4},
        Row{392, "last-repaired", 520.0, 480.0, 151.44, .7},
        Row{392, "same", 553.7, 510.6, -1, 2.3}}) {
    CAPTURE(row.nodes);
    CAPTURE(row.rule);
    const Sums found = means_of(replayed(row.nodes, row.rule));
    CAPTURE(found.failures);
    CAPTURE(found.strikes);
    CHECK(std::fabs(found.failures - row.failures) < 4.5 * row.error);
    CHECK(std::fabs(found.strikes - row.strikes) < 4.5 * row.error);
    if (row.lacking >= 0) CHECK(std::fabs(found.lacking - row.lacking) < .006);
  }
}

TEST_CASE("logged spares: how many a public log wants") {
  if (!std::filesystem::exists(public_log())) {
    MESSAGE("skipped: no " << public_log().string() << " (HOLDFAST_DATA)");
    return;
  }
  const Instance instance = replayed(400, "oldest");
  const LoggedSpares spares(*instance.recorded, 0);
  CHECK(spares.needed(.9) == 22);
  CHECK(spares.needed(.99) == 31);
  CHECK(spares.needed(.999) == 33);
  CHECK(come_together(*instance.recorded));
  struct Row {
    double share;
    std::int64_t low, high;
  };
  for (const Row& row : {Row{.9, 11, 28}, Row{.99, 15, 32}, Row{.999, 24, 34}}) {
    const auto found = spares.interval(row.share, 1);
    CHECK(std::abs(found.low - row.low) <= 1);
    CHECK(std::abs(found.high - row.high) <= 1);
    CHECK(std::fabs(found.block / kDaySeconds - 29) < .1);
  }
}
