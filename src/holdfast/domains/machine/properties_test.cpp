#include "holdfast/base/value.hpp"
#include "holdfast/contract/own_rule.hpp"
#include "holdfast/domains/machine/domain.hpp"
#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

using namespace holdfast;

namespace {

std::string quoted(std::string_view word) {
  return fmt::format("\"{}\"", word);
}

// Small machines on which everything happens: several jobs, arrivals, failures, contention. Whole numbers, so that many
// things fall on one date.
std::string random_instance(Stream& stream) {
  const std::int64_t nodes = stream.integer(2, 8);
  const auto pick = [&](std::initializer_list<std::string_view> words) {
    return quoted(
        *(words.begin() + stream.integer(0, static_cast<std::int64_t>(words.size()) - 1)));
  };
  std::string jobs;
  const std::int64_t count = stream.integer(1, 6);
  for (std::int64_t i = 0; i < count; ++i) {
    jobs += fmt::format(
        R"({}{{"nodes": {}, "submit": {}, "work": {}, "input": {}, "output": {}, "checkpoint": {},
      "recovery": {}, "period": {}}})",
        i == 0 ? "" : ", ", stream.integer(1, nodes), stream.integer(0, 20), stream.integer(1, 60),
        stream.integer(0, 1) * stream.integer(1, 6), stream.integer(0, 1) * stream.integer(1, 6),
        stream.integer(0, 8), stream.integer(0, 8), stream.integer(2, 30));
  }
  std::string events;
  double date = 0;
  for (std::int64_t i = stream.integer(0, 6); i > 0; --i) {
    date += static_cast<double>(stream.integer(1, 25));
    events +=
        fmt::format("{}[{}, {}]", events.empty() ? "" : ", ", date, stream.integer(0, nodes - 1));
  }
  const std::string horizon = stream.chance(0.5)
                                  ? fmt::format(R"("horizon": {}, "warmup": {},)",
                                                stream.integer(40, 120), stream.integer(0, 30))
                                  : "";
  return fmt::format(
      R"({{"nodes": {}, "bandwidth": {}, "node_bandwidth": {}, "downtime": {}, "on_failure": {},
    "repair": {}, "scheduler": {}, {} "failures": {{"mtbf": 500, "events": [{}]}}, "jobs": [{}]}})",
      nodes, stream.integer(1, 4), stream.chance(0.5) ? 0.5 : 1, stream.integer(0, 3),
      pick({"respawn", "requeue"}), stream.integer(0, 20), pick({"fcfs", "easy", "first-fit"}),
      horizon, events, jobs);
}

// A rule that a program might bring: the last that came is served first, and all but a quarter of what is left goes to it.
// So it takes bandwidth from what is in transfer, and leaves some unused.
void last_come(const holdfast::DecisionInput& told, std::vector<double>& rates) {
  double left = told.once("bandwidth_total");
  for (std::size_t i = told.items; i-- > 0;) {
    rates[i] = std::min(told["bandwidth"][i], 0.75 * left);
    left -= rates[i];
  }
}

std::vector<std::string> every_strategy() {
  std::vector<std::string> out;
  for (const StrategyEntry& entry : machine::domain().strategies) {
    for (const char* waiting : {"blocking", "working"}) {
      out.push_back(
          fmt::format("{}{}:waiting={}", entry.name, entry.takes_rule ? ":mine" : "", waiting));
    }
  }
  return out;
}

std::vector<StrategySpec> parsed(const std::vector<std::string>& names) {
  const std::vector<OwnRule> rules{own_rule("mine", last_come)};
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  return parse_strategies(all, machine::domain().strategies, Value::object(), rules).value();
}

}  // namespace

TEST_CASE("machine: schedules of random small machines pass the check, under every strategy") {
  Stream stream({.seed = 27});
  const std::vector<std::string> names = every_strategy();
  const auto specs = parsed(names);
  constexpr int kInstances = 1000;
  for (int i = 0; i < kInstances; ++i) {
    const std::string document = random_instance(stream);
    CAPTURE(document);
    const auto point = machine::domain().open(parse_json(document).value(), specs, ".");
    REQUIRE(point);
    Workspace workspace;
    for (std::size_t strategy = 0; strategy < specs.size(); ++strategy) {
      const Outcome outcome = (*point)->run({}, strategy, workspace, true).value();
      const Status status = (*point)->check({}, strategy, outcome).value();
      if (!status) {
        CAPTURE(names[strategy]);
        FAIL(status.error().text());
      }
    }
  }
}

TEST_CASE("machine: changing the unit of bytes changes nothing") {
  constexpr auto kDocument =
      R"({{"nodes": 6, "bandwidth": {0}, "node_bandwidth": {1}, "downtime": 1,
    "horizon": 4000, "failures": {{"mtbf": 3000}}, "jobs": [
    {{"nodes": 2, "checkpoint": {2}, "input": {0}}}, {{"nodes": 3, "checkpoint": {3}}},
    {{"nodes": 1, "checkpoint": {0}, "work": 300, "output": {2}}}]}})";
  const auto specs = parsed(every_strategy());
  const auto open = [&](double scale) {
    const std::string document =
        fmt::format(fmt::runtime(kDocument), 8 * scale, 2 * scale, 16 * scale, 24 * scale);
    return machine::domain().open(parse_json(document).value(), specs, ".").value();
  };
  const auto once = open(1), scaled = open(1024);
  Workspace workspace;
  for (std::size_t strategy = 0; strategy < specs.size(); ++strategy) {
    CAPTURE(strategy);
    const Outcome a = once->run({}, strategy, workspace, true).value();
    const Outcome b = scaled->run({}, strategy, workspace, true).value();
    CHECK(to_json(a.details) == to_json(b.details));
  }
}

TEST_CASE("machine: no strategy is above the bound, and none beats `alone` on average") {
  const auto specs =
      parse_strategies(
          "alone,most-overdue,least-waste,shortest-weighted,fcfs,node-share,fair-share",
          machine::domain().strategies)
          .value();
  const auto point =
      machine::domain()
          .open(
              parse_json(
                  R"({"nodes": 100, "bandwidth": 1, "horizon": 3e5, "warmup": 2e4, "failures": {"mtbf": 1e5},
    "jobs": [{"nodes": 60, "checkpoint": 120}, {"nodes": 20, "checkpoint": 60, "recovery": 90},
    {"nodes": 20, "checkpoint": 60, "recovery": 90}]})")
                  .value(),
              specs, ".")
          .value();
  const auto& metrics = machine::domain().metrics;
  const auto find = [&](std::string_view name) {
    const auto place = std::find_if(metrics.begin(), metrics.end(),
                                    [name](const Metric& metric) { return metric.name == name; });
    return static_cast<std::size_t>(place - metrics.begin());
  };
  const std::size_t useful = find("useful_share"), bound = find("bound");
  constexpr int kRuns = 20;
  Workspace workspace;
  std::vector<double> means;
  for (std::size_t strategy = 0; strategy < specs.size(); ++strategy) {
    CAPTURE(specs[strategy].text);
    double sum = 0, squares = 0, limit = 0;
    for (std::uint64_t scenario = 0; scenario < kRuns; ++scenario) {
      const Outcome outcome =
          point->run({.scenario = scenario}, strategy, workspace, false).value();
      sum += *outcome.metrics[useful];
      squares += *outcome.metrics[useful] * *outcome.metrics[useful];
      limit = *outcome.metrics[bound];
    }
    const double mean = sum / kRuns;
    const double error = std::sqrt((squares / kRuns - mean * mean) / (kRuns - 1));
    means.push_back(mean);
    CHECK(std::abs(limit - 0.707463205) < 1e-8);  // the planner's check vector P1
    CHECK(mean <= limit + 3 * error);
    CHECK(mean <= means.front() + 3 * error);
  }
}

namespace {

// One job alone on the machine, its failures fixed; it ends.
Outcome run_single(std::string_view rest, double downtime, std::string_view strategy) {
  const auto specs = parse_strategies(strategy, machine::domain().strategies).value();
  const std::string document =
      fmt::format(R"({{"nodes": 3, "bandwidth": 1, "downtime": {}, {}}})", downtime, rest);
  const auto point = machine::domain().open(parse_json(document).value(), specs, ".").value();
  Workspace workspace;
  return point->run({}, 0, workspace, true).value();
}

std::string random_single(Stream& stream) {
  std::string events;
  double date = 0;
  for (std::int64_t i = stream.integer(0, 8); i > 0; --i) {
    date += 0.5 * static_cast<double>(stream.integer(1, 60));
    events += fmt::format("{}[{}, {}]", events.empty() ? "" : ", ", date, stream.integer(0, 2));
  }
  return fmt::format(
      R"("failures": {{"mtbf": 500, "events": [{}]}}, "jobs": [{{"nodes": 3, "work": {}, "input": {},
    "output": {}, "checkpoint": {}, "recovery": {}, "period": {}}}])",
      events, stream.integer(1, 80), stream.integer(0, 5), stream.integer(0, 5),
      stream.integer(1, 9), stream.integer(0, 9), stream.integer(2, 30));
}

}  // namespace

// On one trace it may: a failure that falls into the downtime does nothing.
TEST_CASE("machine: a longer downtime leaves less of a job's time useful, on average") {
  const auto specs = parse_strategies("fcfs", machine::domain().strategies).value();
  double before = 1;
  for (const int downtime : {0, 30, 120, 600}) {
    CAPTURE(downtime);
    const std::string document = fmt::format(
        R"({{"nodes": 20, "bandwidth": 1, "downtime": {}, "horizon": 4e5, "failures": {{"mtbf": 60000}},
        "jobs": [{{"nodes": 20, "checkpoint": 60, "period": 600}}]}})",
        downtime);
    const auto point = machine::domain().open(parse_json(document).value(), specs, ".").value();
    Workspace workspace;
    double sum = 0, squares = 0;
    constexpr int kRuns = 20;
    for (std::uint64_t scenario = 0; scenario < kRuns; ++scenario) {
      const double share =
          *point->run({.scenario = scenario}, 0, workspace, false).value().metrics[0];
      sum += share;
      squares += share * share;
    }
    const double mean = sum / kRuns;
    const double error = std::sqrt((squares / kRuns - mean * mean) / (kRuns - 1));
    CHECK(mean + 2 * error < before);
    before = mean;
  }
}

TEST_CASE("machine: how a job waits means nothing to who has the file system for itself") {
  Stream stream({.seed = 49});
  for (int i = 0; i < 300; ++i) {
    const std::string rest = random_single(stream);
    CAPTURE(rest);
    CHECK(to_json(run_single(rest, 2, "fcfs:waiting=working").details) ==
          to_json(run_single(rest, 2, "fcfs:waiting=blocking").details));
  }
}
